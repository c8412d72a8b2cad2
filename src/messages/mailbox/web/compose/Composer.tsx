import { Paperclip, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Keys } from '../../../../ui/display/Kbd.tsx'
import { useFileDrop } from '../../../../ui/hooks/useFileDrop.ts'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import { longest, maxAttached, maxRecipients } from '../../rules.ts'
import { DraftAlerts } from './DraftAlerts.tsx'
import { DraftFiles } from './DraftFiles.tsx'
import type { DraftKeeper, Words } from './draft-store.ts'
import { formatMaxAttached, useDraftUploads } from './draft-uploads.ts'
import { RecipientsField } from './RecipientsField.tsx'
import { readRecipients, withRecipients } from './recipients.ts'
import { SaveState } from './SaveState.tsx'
import { useDiscard } from './useDiscard.tsx'
import { useDraftView } from './useDraftStore.ts'
import { useSendDraft } from './useSendDraft.ts'

interface ComposerProps {
  keeper: DraftKeeper
  /** The mailbox it is sent from. */
  own: string
  /** Shown below its thread; otherwise it fills the pane. */
  isFoot: boolean
  /** What was written is kept. */
  onClose: () => void
  /** The draft continues under another id. */
  onMoved: (id: string) => void
}

type Line = 'to' | 'cc' | 'bcc'

const titles = { new: 'New email', reply: 'Reply', forward: 'Forward' }
const below = {
  new: null,
  reply: 'The email you answer is quoted below what you write.',
  forward: 'The email you forward appears below what you write, with its files.',
}

/** The composer: saves automatically, and sends from one's own address. */
export function Composer({ keeper, own, isFoot, onClose, onMoved }: ComposerProps) {
  const view = useDraftView(keeper)
  const { id, words, files, state } = view
  const uploads = useDraftUploads(id)
  const { send, isBusy } = useSendDraft()
  const [typed, setTyped] = useState({ to: '', cc: '', bcc: '' })
  const [opened, setOpened] = useState<readonly Line[]>([])
  const [tries, setTries] = useState(0)
  const [refused, setRefused] = useState<string | null>(null)
  const form = useProblemFocus({ tries })
  const chooser = useRef<HTMLInputElement>(null)
  const isChecked = tries > 0
  const isUnavailable = state === 'sending'
  const isNew = words.kind !== 'reply'

  const change = (part: Partial<Words>) => {
    keeper.change(part)
    setRefused(null)
  }
  const attach = (chosen: readonly File[]) => uploads.add(chosen)
  const drop = useFileDrop(attach)
  const discard = useDiscard(keeper, onClose)
  const size = [...files.map((file) => file.size), ...uploads.uploads.map(({ file }) => file.size)].reduce((sum, one) => sum + one, 0)
  const lines = (['to', 'cc', 'bcc'] as const).filter((line) => line === 'to' || words[line].length > 0 || opened.includes(line))
  const count = words.to.length + words.cc.length + words.bcc.length
  const whom = count === 0 ? 'Add a recipient' : count > maxRecipients ? `At most ${maxRecipients} recipients` : undefined
  const isTooLarge = size > maxAttached
  const isComing = uploads.uploads.some((upload) => upload.state !== 'failed')
  const fileError = isTooLarge
    ? `The files are too large: ${formatMaxAttached} together at most`
    : isComing && isChecked
      ? 'Wait until the files are there'
      : undefined

  useEffect(() => {
    // A new message to a known recipient starts in the text field, any other in the recipients field.
    const first = keeper.view().words.to.length > 0 ? 'textarea' : 'input[role="combobox"]'
    form.current?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true })
  }, [keeper, form])

  async function submit() {
    if (isBusy || isUnavailable) return
    // Includes recipients that are still being typed.
    const left = Object.fromEntries(lines.map((line) => [line, readRecipients(typed[line])]))
    const whole = lines.every((line) => left[line]!.rest === '')
    for (const line of lines) if (left[line]!.people.length > 0) keeper.change({ [line]: withRecipients(words[line], left[line]!.people) })
    setTyped({ to: left.to?.rest ?? '', cc: left.cc?.rest ?? '', bcc: left.bcc?.rest ?? '' })
    setTries((before) => before + 1)
    const now = keeper.view().words
    const total = now.to.length + now.cc.length + now.bcc.length
    if (!whole || total === 0 || total > maxRecipients || isTooLarge || isComing) return
    const refusal = await send(id, view.version)
    if (refusal === null) onClose()
    else setRefused(refusal.message)
  }

  const keys = {
    onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented) return
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
      else if (event.key === 'Escape') onClose()
      else return
      event.preventDefault()
    },
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={titles[words.kind]}
        {...drop.handlers}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        {...keys}
        className={cn(
          'relative flex min-h-0 flex-col bg-raised',
          isFoot ? 'max-h-[min(36rem,65%)] flex-none border-t border-line-2' : 'flex-1',
          drop.over && 'bg-selected',
        )}
      >
        <header className="flex flex-none items-center gap-2 border-b border-line py-1 pr-2 pl-4">
          <h2 className="flex-none text-sm font-semibold text-fg">{titles[words.kind]}</h2>
          <span className="min-w-0 flex-1 truncate text-xs text-fg-3">from {own}</span>
          <SaveState view={view} />
          <IconButton label="Discard" size="sm" icon={<Trash2 />} onClick={discard.ask} disabled={isUnavailable} />
          <IconButton label="Close, and keep the draft" keys="esc" size="sm" icon={<X />} onClick={onClose} />
        </header>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
          {isUnavailable ? (
            <p role="status" className="px-4 py-3 text-sm text-fg-2">
              This email is on its way. It can no longer be changed.
            </p>
          ) : (
            <DraftAlerts
              keeper={keeper}
              view={view}
              onKeepAsNew={() => onMoved(discard.keepAsNew())}
              onThrowAway={() => {
                discard.now()
                onClose()
              }}
            />
          )}
          {lines.map((line) => (
            <RecipientsField
              key={line}
              label={{ to: 'To', cc: 'Cc', bcc: 'Bcc' }[line]}
              people={words[line]}
              typed={typed[line]}
              disabled={isUnavailable}
              autoFocus={opened.at(-1) === line}
              isChecked={isChecked}
              error={isChecked && line === 'to' ? whom : undefined}
              onTyped={(text) => setTyped((before) => ({ ...before, [line]: text }))}
              onChange={(people) => change({ [line]: people })}
              aside={
                line === 'to' &&
                (['cc', 'bcc'] as const)
                  .filter((other) => !lines.includes(other))
                  .map((other) => (
                    <Button key={other} size="sm" variant="quiet" onClick={() => setOpened([...opened, other])}>
                      {{ cc: 'Cc', bcc: 'Bcc' }[other]}
                    </Button>
                  ))
              }
            />
          ))}
          <div className="flex items-center gap-2 border-b border-line px-4">
            <label htmlFor={`${id}subject`} className="w-14 flex-none py-2.5 text-sm text-fg-3 md:py-2">
              Subject
            </label>
            <input
              id={`${id}subject`}
              type="text"
              maxLength={longest.subject}
              disabled={isUnavailable}
              value={words.subject}
              onChange={({ target }) => change({ subject: target.value })}
              className="h-10 min-w-0 flex-1 bg-transparent text-lg text-fg outline-none md:h-8 md:text-md"
            />
          </div>
          <textarea
            aria-label="Your email"
            rows={isFoot ? 4 : 12}
            maxLength={longest.text}
            disabled={isUnavailable}
            value={words.text}
            onChange={({ target }) => change({ text: target.value })}
            className={cn(
              'block field-sizing-content w-full flex-1 resize-none bg-transparent px-4 py-3 text-lg text-fg outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--field-ring)] md:text-md',
              isFoot ? 'min-h-28' : 'min-h-60',
            )}
          />
          <DraftFiles files={files} uploads={uploads} error={fileError} onRemove={(file) => void discard.removeFile(file)} />
        </div>
        {refused !== null && (
          <p role="alert" className="flex-none px-4 pt-2 text-sm text-danger-fg">
            {refused}
          </p>
        )}
        <footer className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-2">
          <Button variant="quiet" icon={<Paperclip />} disabled={isUnavailable} onClick={() => chooser.current?.click()}>
            Attach
          </Button>
          <p className="min-w-0 flex-1 basis-48 text-xs text-fg-3">{drop.over ? 'Drop the files here.' : below[words.kind]}</p>
          <Keys keys="mod+enter" className="max-md:hidden" />
          <Button type="submit" variant="filled" busy={isBusy} busyLabel="Sending..." disabled={isUnavailable}>
            {state === 'failed' || state === 'unsure' ? 'Resend' : isNew ? 'Send' : 'Send reply'}
          </Button>
        </footer>
        <input
          ref={chooser}
          type="file"
          multiple
          aria-label="Files to attach"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            attach([...(target.files ?? [])])
            target.value = ''
          }}
        />
      </form>
      {discard.dialog}
    </>
  )
}
