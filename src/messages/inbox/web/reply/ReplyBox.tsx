import { CalendarClock, ChevronDown, CircleAlert, Lock, Moon, Paperclip, Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatPhone, formatTimeOfDay } from '../../../../ui/format.ts'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import { Tooltip } from '../../../../ui/overlays/Tooltip.tsx'
import { RichTextField } from '../../../../ui/rich-text/RichText.tsx'
import { SignatureLine } from '../../../signatures/web/embed/SignatureLine.tsx'
import { maxTextLength } from '../../text-rules.ts'
import type { ConversationData, WayData } from '../inbox-data.ts'
import { MomentMenu } from '../moments/MomentMenu.tsx'
import { QuickReplies, useReplyLanguage, useSlash } from '../quick/QuickReplies.tsx'
import { DocumentPicker } from './DocumentPicker.tsx'
import type { Draft } from './drafts.ts'
import { inboxPictures } from './pictures.ts'
import { MarketingField } from './MarketingField.tsx'
import { MoreMenu } from './MoreMenu.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'
import { TextSize, useNight } from '../embed/TextSize.tsx'
import { type Composing, type Reply, type Tab, tabs, useReply } from './useReply.ts'
import { useReplying } from './useReplying.ts'
import { canSend, missingChannels, openChannels } from './ways.ts'

const AnsweredDialog = lazyDialog(
  () => import('./AnsweredDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Characters of an email or a message in the portal, and of a note. */
const limits = { sms: maxTextLength, email: 50_000, portal: 50_000, note: 5_000 }

interface ReplyBoxProps {
  conversation: ConversationData
  people: readonly Person[]
  composing: Composing | null
}

/**
 * The composer: a text, an email, an answer in the portal, or an internal note that the patient never sees. A note has its own text, so that
 * neither can become the other. On a phone it is one line until it is opened, so that the messages can be read.
 */
export function ReplyBox({ conversation, people, composing }: ReplyBoxProps) {
  const { contact, ways } = conversation
  const asked = composing?.asked ?? 0
  /** On a phone: `asked` when it was collapsed, so that a key or a button that asks again opens it. Null: opened by hand. */
  const [collapsedAt, setCollapsedAt] = useState<number | null>(asked)
  const isOpen = !usePhone() || collapsedAt !== asked
  const [wasOpen, setWasOpen] = useState(false)
  const collapse = () => {
    setWasOpen(true)
    setCollapsedAt(asked)
  }
  const reply = useReply(conversation, composing, collapse)
  const { field, draft, way, tab, text, errors, missing, change } = reply
  const errorId = useId()
  const isNote = tab === 'note'
  const isMarketing = draft.isCommercial || draft.isOffer
  const { label, submit, busy } = tabs[tab]
  const absent = isNote ? [] : missingChannels(conversation)
  const { user } = useSession()
  const replying = useReplying(conversation.id, conversation.messages.at(-1)?.id ?? null)
  const language = useReplyLanguage(contact?.id ?? null)
  const night = useNight(tab === 'sms' ? contact?.id : undefined)
  const slash = useSlash(isNote ? '' : text, language, reply.insert)
  const nameOf = (id: string | null | undefined) => people.find((person) => person.id === id)?.fullName ?? null
  const answer = conversation.messages.findLast(
    ({ direction, createdBy }) => direction === 'outbound' && createdBy !== null && createdBy !== user?.id,
  )

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void reply.submit()
  }

  const replyingNames = new Intl.ListFormat('en-CA').format(replying.map((by) => nameOf(by) ?? 'A colleague'))
  const replyingLine = (
    <p
      role="status"
      className={cn('flex items-center gap-1.5 pb-1 text-xs text-fg-3 md:min-h-6', replying.length === 0 && 'max-md:hidden')}
    >
      {replying.length > 0 && (
        <>
          <Pencil aria-hidden="true" className="size-3.5!" />
          {replyingNames} {replying.length === 1 ? 'is' : 'are'} replying…
        </>
      )}
    </p>
  )
  if (!isOpen)
    return (
      <div className="flex-none border-t border-line p-2">
        {replyingLine}
        <CollapsedReply
          reply={reply}
          autoFocus={wasOpen}
          onOpen={(next) => {
            setCollapsedAt(null)
            if (next === tab) reply.focus()
            else reply.choose(next)
          }}
        />
      </div>
    )

  return (
    <form
      aria-label={isNote ? label : 'Reply'}
      onSubmit={(event) => {
        event.preventDefault()
        void reply.submit()
      }}
      className="flex-none px-4 pt-1 pb-4 max-md:px-2 max-md:pb-2"
    >
      {replyingLine}
      <div
        className={cn(
          'rounded-lg border has-[textarea:focus-visible,[contenteditable]:focus-visible]:border-focus has-[textarea:focus-visible,[contenteditable]:focus-visible]:shadow-[0_0_0_2px_var(--field-ring)]',
          isNote ? 'border-dashed border-warning-line bg-warning-soft' : 'border-line-2 bg-raised',
        )}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2 pt-2">
          <TabSwitch tab={tab} tabs={[...openChannels(ways), 'note']} onTab={reply.choose} />
          {/* Pictures that are being added need the field. */}
          <IconButton label="Collapse" icon={<ChevronDown />} disabled={reply.isAdding} className="ml-auto md:hidden" onClick={collapse} />
          <span className={cn('min-w-0 flex-1 basis-40 text-xs max-md:basis-full max-md:px-2', isNote ? 'text-warning-fg' : 'text-fg-3')}>
            {isNote ? (
              'Only staff can see it; it is never sent.'
            ) : (
              <Recipient ways={ways} way={way!} onAddress={(address) => change({ address })} />
            )}
          </span>
        </div>
        {absent.length > 0 && <p className="px-4 pt-1 text-xs text-fg-3">{absent.join(' ')}</p>}
        {tab === 'email' && <Subject reply={reply} isFixed={contact === null} />}
        {slash?.list}
        {tab === 'email' ? (
          <RichTextField
            ref={field}
            label="Your reply"
            html={reply.html}
            onChange={reply.writeMail}
            pictures={inboxPictures(reply.setAdding)}
            autoFocus={reply.wantsFocus}
            field={slash ? { ...slash.field, 'aria-expanded': 'true' } : undefined}
            onKey={(event) => !event.ctrlKey && !event.metaKey && slash !== null && slash.onKey(event.key)}
            onKeyDown={onKeyDown}
            aria-invalid={errors.text !== undefined || undefined}
            aria-describedby={errors.text === undefined ? undefined : errorId}
            className="max-h-[40dvh] min-h-20 overflow-y-auto px-4 py-2 text-lg text-fg max-md:min-h-16 max-md:max-h-[25dvh] md:text-md"
          />
        ) : (
          <textarea
            ref={(area) => {
              field.current = area
            }}
            {...slash?.field}
            rows={2}
            value={text}
            maxLength={limits[tab]}
            onChange={(event) => reply.write(event.target.value)}
            onKeyDown={(event) => {
              if (!event.ctrlKey && !event.metaKey && slash?.onKey(event.key)) {
                event.preventDefault()
                return
              }
              onKeyDown(event)
            }}
            aria-label={isNote ? 'Internal note' : 'Your reply'}
            aria-invalid={errors.text !== undefined || undefined}
            aria-describedby={errors.text === undefined ? undefined : errorId}
            className="block field-sizing-content max-h-[40dvh] min-h-16 w-full resize-none rounded-lg bg-transparent px-4 py-2 text-lg text-fg outline-none md:text-md"
          />
        )}
        {errors.text !== undefined && <Problem id={errorId}>{errors.text}</Problem>}
        {missing.length > 0 && (
          <p role="status" className="flex gap-1.5 px-4 pb-2 text-sm text-warning-fg">
            <CircleAlert aria-hidden="true" className="mt-0.5" />
            <span>No value for {new Intl.ListFormat('en-CA').format(missing)}. Check the message before you send it.</span>
          </p>
        )}
        {tab === 'email' && (
          <SignatureLine language={language} isLeftOut={draft.isUnsigned} onChange={(isUnsigned) => change({ isUnsigned })} />
        )}
        {tab === 'email' && draft.documents.length > 0 && (
          <AttachedDocuments documents={draft.documents} onChange={(documents) => change({ documents })} />
        )}
        {(tab === 'email' || tab === 'sms') && contact && (isMarketing || reply.refusal !== null) && (
          <MarketingField
            isCommercial={draft.isCommercial}
            isOffer={draft.isOffer}
            onChange={(isCommercial) => {
              change({ isCommercial })
              // The tick box leaves with its tick.
              reply.focus()
            }}
            contactId={contact.id}
            channel={tab === 'sms' ? 'text' : 'email'}
            address={way!.address}
            refusal={reply.refusal}
            className="px-4 pt-1.5 pb-3"
          />
        )}
        {tab === 'sms' && <TextSize text={text} contactId={contact?.id} isCommercial={draft.isCommercial} className="px-4 pb-2" />}
        <div className="flex flex-wrap items-center justify-end gap-2 px-3 pb-3 max-md:px-2">
          <div className="mr-auto flex min-w-0 items-center gap-1">
            {!isNote && <QuickReplies language={language} onInsert={reply.insert} />}
            {(tab === 'email' || tab === 'portal') && contact && (
              <TemplatePicker
                contactId={contact.id}
                onInsert={({ templateId, text: inserted, missing: unknown, isOffer }) => {
                  const part = { templateId, missing: unknown, isOffer: draft.isOffer || isOffer }
                  reply.insert(inserted, { part, apart: '\n\n' })
                }}
              />
            )}
            {tab === 'email' && contact && (
              <DocumentPicker contactId={contact.id} chosen={draft.documents} onChange={(documents) => change({ documents })} />
            )}
            {(tab === 'email' || tab === 'sms') && contact && (
              <MoreMenu isEmail={tab === 'email'} onMarketing={isMarketing ? undefined : () => change({ isCommercial: true })} />
            )}
          </div>
          {contact && (tab === 'sms' || (tab === 'email' && draft.documents.length === 0)) && (
            <MomentMenu
              title="Send later"
              action="Schedule message"
              trigger={
                <Button icon={<CalendarClock />}>
                  <span className="max-md:sr-only">Send later</span>
                </Button>
              }
              onChoose={(at) => void reply.schedule(at)}
            />
          )}
          {night && (
            <Button icon={<Moon />} disabled={reply.isBusy} onClick={() => void reply.schedule(night.endsAt)}>
              Send at {formatTimeOfDay(night.endTime)}
            </Button>
          )}
          <Tooltip text={night ? 'Send now' : submit} keys="mod+enter" side="top">
            <Button type="submit" variant={isNote ? 'outlined' : 'filled'} busy={reply.isBusy} busyLabel={busy}>
              {night ? 'Send now' : submit}
            </Button>
          </Tooltip>
        </div>
      </div>
      {reply.isAsking && <AnsweredDialog by={nameOf(answer?.createdBy)} onSend={reply.sendAnyway} onClose={reply.keepWriting} />}
    </form>
  )
}

interface CollapsedReplyProps {
  reply: Reply
  /** It was open before. */
  autoFocus: boolean
  onOpen: (tab: Tab) => void
}

/** The composer on a phone while the messages are read: its draft, or the channel that it would use. */
function CollapsedReply({ reply: { tab, text }, autoFocus, onOpen }: CollapsedReplyProps) {
  const { icon: Icon } = tabs[tab]
  const draft = text.trim()
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        // The field that had the focus no longer exists.
        autoFocus={autoFocus}
        onClick={() => onOpen(tab)}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-lg border border-line-control bg-raised px-3 text-left text-md text-fg-3"
      >
        <Icon aria-hidden="true" />
        {draft === '' ? (
          openLabels[tab]
        ) : (
          <span className="min-w-0 truncate text-fg">
            <span className="text-fg-3">Draft:</span> {draft}
          </span>
        )}
      </button>
      {tab !== 'note' && <IconButton label="Internal note" size="lg" icon={<Lock />} onClick={() => onOpen('note')} />}
    </div>
  )
}

const openLabels: Record<Tab, string> = {
  sms: 'Reply by text',
  email: 'Reply by email',
  portal: 'Reply in the portal',
  note: 'Add internal note',
}

function Problem({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} role="alert" className="flex gap-1.5 px-4 pb-2 text-sm text-danger-fg">
      <CircleAlert aria-hidden="true" className="mt-0.5" />
      {children}
    </p>
  )
}

/** Where it goes: a choice if there are several addresses or numbers. */
function Recipient({ ways, way, onAddress }: { ways: readonly WayData[]; way: WayData; onAddress: (address: string) => void }) {
  const nameOf = ({ channel, address }: WayData) => (channel === 'sms' ? formatPhone(address) : address)
  if (way.channel === 'portal')
    return way.problem
      ? 'Shown in the patient portal.'
      : 'Shown in the patient portal. We email the patient that there is a reply, without its text.'
  const others = ways.filter((other) => other.channel === way.channel && canSend(other))
  if (others.length === 1) return <span className="break-words">To {nameOf(way)}</span>
  return (
    <label className="flex min-w-0 items-center gap-1.5">
      To
      <select
        value={way.address}
        onChange={({ target }) => onAddress(target.value)}
        className="h-9 min-w-0 rounded-sm border border-line-2 bg-raised px-1.5 text-xs text-fg md:h-7"
      >
        {others.map((other) => (
          <option key={other.address} value={other.address}>
            {nameOf(other)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Of an email. Another subject begins another thread, so that the patient's mail program keeps them apart. */
function Subject({ reply, isFixed }: { reply: Reply; isFixed: boolean }) {
  const id = useId()
  const { subject, errors } = reply
  if (isFixed) return <p className="truncate px-4 pt-1.5 text-sm font-medium text-fg">{subject}</p>
  return (
    <div className="px-4 pt-1.5">
      <input
        aria-label="Subject"
        placeholder="Subject"
        value={subject}
        maxLength={300}
        onChange={({ target }) => reply.change({ subject: target.value })}
        aria-invalid={errors.subject !== undefined || undefined}
        aria-describedby={errors.subject === undefined ? undefined : id}
        className="h-9 w-full rounded-sm bg-transparent text-base font-medium text-fg outline-none placeholder:text-fg-3 focus-visible:shadow-[0_0_0_2px_var(--field-ring)] md:h-7 md:text-sm"
      />
      {errors.subject !== undefined && (
        <p id={id} role="alert" className="text-sm text-danger-fg">
          {errors.subject}
        </p>
      )}
    </div>
  )
}

function TabSwitch({ tab, tabs: shown, onTab }: { tab: Tab; tabs: readonly Tab[]; onTab: (tab: Tab) => void }) {
  return (
    <div role="group" aria-label="What to write" className="flex flex-none gap-1">
      {shown.map((value) => {
        const { icon: Icon, label } = tabs[value]
        return (
          <button
            key={value}
            type="button"
            aria-pressed={value === tab}
            onClick={() => onTab(value)}
            className={cn(
              'relative flex h-9 items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium touch-target md:h-7',
              value !== tab
                ? 'text-fg-2 hover:bg-hover hover:text-fg'
                : tab === 'note'
                  ? 'bg-warning-line/40 text-warning-fg'
                  : 'bg-hover text-fg',
            )}
          >
            <Icon />
            {label}
          </button>
        )
      })}
    </div>
  )
}

interface AttachedDocumentsProps {
  documents: Draft['documents']
  onChange: (documents: Draft['documents']) => void
}

function AttachedDocuments({ documents, onChange }: AttachedDocumentsProps) {
  return (
    <ul aria-label="Attached" className="flex flex-wrap gap-1.5 px-4 pb-2">
      {documents.map((document) => (
        <li
          key={document.id}
          className="flex h-7 max-w-full items-center gap-1.5 rounded-sm border border-line-2 bg-surface pl-2 text-xs text-fg"
        >
          <Paperclip aria-hidden="true" className="size-3.5! text-fg-3" />
          <span className="truncate">{document.name}</span>
          <button
            type="button"
            aria-label={`Remove ${document.name}`}
            onClick={() => onChange(documents.filter((other) => other.id !== document.id))}
            className="relative flex size-7 items-center justify-center text-fg-2 touch-target hover:text-fg"
          >
            <X className="size-3.5!" />
          </button>
        </li>
      ))}
    </ul>
  )
}
