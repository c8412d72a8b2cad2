import { CircleAlert, Paperclip, X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Keys } from '../../../../ui/display/Kbd.tsx'
import type { ConversationData } from '../inbox-data.ts'
import { formatPhone } from '../../../../ui/format.ts'
import { maxTextLength } from '../../text-rules.ts'
import { TextSize } from '../embed/TextSize.tsx'
import { MarketingField } from './MarketingField.tsx'
import { DocumentPicker } from './DocumentPicker.tsx'
import type { Draft } from './drafts.ts'
import { TemplatePicker } from './TemplatePicker.tsx'
import { type Composing, modes, useReply } from './useReply.ts'

/** A reply, or an internal note that the patient never sees. Each has its own text, so neither can become the other. */
export function ReplyBox({ conversation, composing }: { conversation: ConversationData; composing: Composing | null }) {
  const { contact, suppressed, address, channel } = conversation
  const isEmail = channel === 'email'
  const isText = channel === 'sms'
  const reply = useReply(conversation, composing)
  const { field, draft, mode, text, error, missing, change } = reply
  const errorId = useId()
  const isNote = mode === 'note'
  const { label, submit, busy, most } = modes[mode]

  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void reply.submit()
      }}
      className={cn('flex-none border-t', isNote ? 'border-dashed border-warning-line bg-warning-soft' : 'border-line bg-raised')}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2">
        <ModeSwitch
          mode={mode}
          canReply={!suppressed || channel === 'portal'}
          onMode={(next) => {
            change({ mode: next })
            field.current?.focus()
          }}
        />
        <span className={cn('min-w-0 text-xs', isEmail && 'truncate', isNote ? 'text-warning-fg' : 'text-fg-3')}>
          {isNote
            ? 'Only staff can see it; it is never sent.'
            : isText
              ? `Text message to ${formatPhone(address)}`
              : isEmail
                ? `To ${address}`
                : suppressed
                  ? 'Shown in the patient portal.'
                  : 'Shown in the patient portal. We email the patient that there is a reply, without its text.'}
        </span>
      </div>
      <textarea
        ref={field}
        rows={2}
        value={text}
        maxLength={isText && !isNote ? maxTextLength : most}
        onChange={(event) => reply.write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void reply.submit()
        }}
        aria-label={isNote ? 'Internal note' : 'Your reply'}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : errorId}
        className="block field-sizing-content max-h-[40dvh] min-h-16 w-full resize-none bg-transparent px-4 py-2 text-lg text-fg outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--field-ring)] md:text-md"
      />
      {isText && !isNote && <TextSize text={text} contactId={contact?.id} className="px-4 pb-2" />}
      {error !== null && (
        <p id={errorId} role="alert" className="flex gap-1.5 px-4 pb-2 text-sm text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5" />
          {error}
        </p>
      )}
      {missing.length > 0 && (
        <p role="status" className="flex gap-1.5 px-4 pb-2 text-sm text-warning-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5" />
          <span>No value for {new Intl.ListFormat('en-CA').format(missing)}. Check the message before you send it.</span>
        </p>
      )}
      {!isNote && draft.documents.length > 0 && (
        <AttachedDocuments documents={draft.documents} onChange={(documents) => change({ documents })} />
      )}
      {!isNote && (isEmail || isText) && contact && (
        <MarketingField
          isCommercial={draft.isCommercial}
          isOffer={draft.isOffer}
          onChange={(isCommercial) => change({ isCommercial })}
          contactId={contact.id}
          channel={isText ? 'text' : 'email'}
          address={address}
          refusal={reply.refusal}
          className="px-4 pt-1.5 pb-3"
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 px-3 pb-3">
        {!isNote && contact && !isText && (
          <div className="mr-auto flex gap-1">
            <TemplatePicker
              contactId={contact.id}
              onInsert={({ templateId, text: inserted, missing: unknown, isOffer }) => {
                const before = draft.reply.trim() ? `${draft.reply.trimEnd()}\n\n` : ''
                change({ reply: before + inserted, templateId, missing: unknown, isOffer: draft.isOffer || isOffer })
                field.current?.focus()
              }}
            />
            {isEmail && <DocumentPicker contactId={contact.id} chosen={draft.documents} onChange={(documents) => change({ documents })} />}
          </div>
        )}
        <Keys keys="mod+enter" className="max-md:hidden" />
        <Button type="submit" variant={isNote ? 'outlined' : 'filled'} busy={reply.isBusy} busyLabel={busy}>
          {isText && !isNote ? 'Send text' : submit}
        </Button>
      </div>
    </form>
  )
}

interface ModeSwitchProps {
  mode: Draft['mode']
  canReply: boolean
  onMode: (mode: Draft['mode']) => void
}

function ModeSwitch({ mode, canReply, onMode }: ModeSwitchProps) {
  return (
    <div role="group" aria-label="What to write" className="flex gap-1">
      {(['reply', 'note'] as const)
        .filter((value) => value === 'note' || canReply)
        .map((value) => {
          const Icon = modes[value].icon
          return (
            <button
              key={value}
              type="button"
              aria-pressed={value === mode}
              onClick={() => onMode(value)}
              className={cn(
                'relative flex h-9 items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium touch-target md:h-7',
                value !== mode
                  ? 'text-fg-2 hover:bg-hover hover:text-fg'
                  : mode === 'note'
                    ? 'bg-warning-line/40 text-warning-fg'
                    : 'bg-accent-soft text-accent-fg',
              )}
            >
              <Icon />
              {modes[value].label}
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
