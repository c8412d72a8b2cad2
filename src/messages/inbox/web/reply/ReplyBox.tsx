import { CircleAlert, NotebookPen, Paperclip, Reply, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { client, codeOf, messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Keys } from '../../../../ui/display/Kbd.tsx'
import { inboxMessages } from '../../contract.ts'
import type { ConversationData } from '../inbox-data.ts'
import { MarketingField } from './MarketingField.tsx'
import { DocumentPicker } from './DocumentPicker.tsx'
import { type Draft, keepDraft, noWords, recallDraft, withoutSent } from './drafts.ts'
import { placeholdersIn } from './missing.ts'
import { TemplatePicker } from './TemplatePicker.tsx'
import { useSend } from './useSend.ts'

/** An action requested by a key; `asked` is a counter, so the same key can request it again. */
export type Composing = { mode: Draft['mode']; asked: number }

const modes = {
  reply: { label: 'Reply', icon: Reply, submit: 'Send reply', busy: 'Sending...', empty: inboxMessages.words, most: 50_000 },
  note: { label: 'Internal note', icon: NotebookPen, submit: 'Add note', busy: 'Adding...', empty: 'Write a note', most: 5_000 },
}

/** A reply, or an internal note that the patient never sees. Each has its own text, so neither can become the other. */
export function ReplyBox({ conversation, composing }: { conversation: ConversationData; composing: Composing | null }) {
  const { id, contact, suppressed, address } = conversation
  const [draft, setDraft] = useState(() => recallDraft(id))
  const [error, setError] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const errorId = useId()
  const { send, isBusy } = useSend()
  const mode = suppressed ? 'note' : draft.mode
  const isNote = mode === 'note'
  const words = isNote ? draft.note : draft.reply
  const { label, submit, busy, empty, most } = modes[mode]
  const missing = isNote ? [] : [...new Set([...placeholdersIn(draft.reply), ...draft.missing])]

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    setError(null)
    setRefusal(null)
    keepDraft(id, next)
  }
  /** Text typed while sending is kept, here and in the stored draft, which is all that remains once another conversation is open. */
  function clear(sent: Draft) {
    setDraft((now) => withoutSent(now, sent))
    setError(null)
    setRefusal(null)
    keepDraft(id, withoutSent(recallDraft(id), sent))
  }
  const write = (text: string) => change(isNote ? { note: text } : text.trim() === '' ? { ...noWords, reply: text } : { reply: text })

  const asked = useRef(composing?.asked ?? 0)
  useEffect(() => {
    if (!composing || composing.asked === asked.current) return
    asked.current = composing.asked
    setDraft((before) => ({ ...before, mode: composing.mode }))
    field.current?.focus()
  }, [composing])

  async function submitNow() {
    if (isBusy) return
    const text = words.trim()
    if (!text) {
      setError(empty)
      field.current?.focus()
      return
    }
    if (await (isNote ? addNote(text) : sendReply(text))) clear({ ...draft, mode })
  }

  const addNote = (text: string) =>
    send({ id, text }, ({ idempotencyKey: _, ...content }) => client.inbox.addNote(content), { failed: 'Couldn’t add the note' })

  function sendReply(text: string) {
    const documentIds = draft.documents.map((document) => document.id)
    const isCommercial = draft.isCommercial || draft.isOffer
    return send({ id, text, templateId: draft.templateId, documentIds, isCommercial }, (content) => client.inbox.reply(content), {
      tell(failure) {
        if (codeOf(failure) !== 'NO_CONSENT') return false
        setRefusal(messageOf(failure))
        return true
      },
    })
  }

  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void submitNow()
      }}
      className={cn('flex-none border-t', isNote ? 'border-dashed border-warning-line bg-warning-soft' : 'border-line bg-raised')}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2">
        <div role="group" aria-label="What to write" className="flex gap-1">
          {(['reply', 'note'] as const)
            .filter((value) => value === 'note' || !suppressed)
            .map((value) => {
              const Icon = modes[value].icon
              return (
                <button
                  key={value}
                  type="button"
                  aria-pressed={value === mode}
                  onClick={() => {
                    change({ mode: value })
                    field.current?.focus()
                  }}
                  className={cn(
                    'relative flex h-9 items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium touch-target md:h-7',
                    value !== mode
                      ? 'text-fg-2 hover:bg-hover hover:text-fg'
                      : isNote
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
        <span className={cn('min-w-0 truncate text-xs', isNote ? 'text-warning-fg' : 'text-fg-3')}>
          {isNote ? 'Only staff can see it; it is never sent.' : `To ${address}`}
        </span>
      </div>
      <textarea
        ref={field}
        rows={2}
        value={words}
        maxLength={most}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void submitNow()
        }}
        aria-label={isNote ? 'Internal note' : 'Your reply'}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : errorId}
        className="block field-sizing-content max-h-[40dvh] min-h-16 w-full resize-none bg-transparent px-4 py-2 text-lg text-fg outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--field-ring)] md:text-md"
      />
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
        <ul aria-label="Attached" className="flex flex-wrap gap-1.5 px-4 pb-2">
          {draft.documents.map((document) => (
            <li
              key={document.id}
              className="flex h-7 max-w-full items-center gap-1.5 rounded-sm border border-line-2 bg-surface pl-2 text-xs text-fg"
            >
              <Paperclip aria-hidden="true" className="size-3.5! text-fg-3" />
              <span className="truncate">{document.name}</span>
              <button
                type="button"
                aria-label={`Remove ${document.name}`}
                onClick={() => change({ documents: draft.documents.filter((other) => other.id !== document.id) })}
                className="relative flex size-7 items-center justify-center text-fg-2 touch-target hover:text-fg"
              >
                <X className="size-3.5!" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isNote && contact && (
        <MarketingField
          isCommercial={draft.isCommercial}
          isOffer={draft.isOffer}
          onChange={(isCommercial) => change({ isCommercial })}
          contactId={contact.id}
          address={address}
          refusal={refusal}
          className="px-4 pt-1.5 pb-3"
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 px-3 pb-3">
        {!isNote && contact && (
          <div className="mr-auto flex gap-1">
            <TemplatePicker
              contactId={contact.id}
              onInsert={({ templateId, text, missing: unknown, isOffer }) => {
                const reply = draft.reply.trim() ? `${draft.reply.trimEnd()}\n\n${text}` : text
                change({ reply, templateId, missing: unknown, isOffer: draft.isOffer || isOffer })
                field.current?.focus()
              }}
            />
            <DocumentPicker contactId={contact.id} chosen={draft.documents} onChange={(documents) => change({ documents })} />
          </div>
        )}
        <Keys keys="mod+enter" className="max-md:hidden" />
        <Button type="submit" variant={isNote ? 'outlined' : 'filled'} busy={isBusy} busyLabel={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
