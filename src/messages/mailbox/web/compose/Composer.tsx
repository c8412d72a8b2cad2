import { Paperclip, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Keys } from '../../../../ui/display/Kbd.tsx'
import { useFileDrop } from '../../../../ui/hooks/useFileDrop.ts'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import { BodyField, RecipientLines, SubjectField } from './ComposerFields.tsx'
import { DraftAlerts } from './DraftAlerts.tsx'
import { DraftFiles } from './DraftFiles.tsx'
import type { DraftKeeper } from './draft-store.ts'
import { SaveState } from './SaveState.tsx'
import { type ComposerState, useComposer } from './useComposer.ts'
import { useDiscard } from './useDiscard.tsx'

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

const titles = { new: 'New email', reply: 'Reply', forward: 'Forward' }
const below = {
  new: null,
  reply: 'The email you answer is quoted below what you write.',
  forward: 'The email you forward appears below what you write, with its files.',
}

/** The composer: saves automatically, and sends from one's own address. */
export function Composer({ keeper, own, isFoot, onClose, onMoved }: ComposerProps) {
  const composer = useComposer(keeper, onClose)
  const { view, uploads, refused, isUnavailable, submit } = composer
  const form = useProblemFocus({ tries: composer.tries })
  const drop = useFileDrop(uploads.add)
  const discard = useDiscard(keeper, onClose)

  useEffect(() => {
    // The text takes the focus itself, if the recipient is known.
    if (keeper.view().words.to.length === 0)
      form.current?.querySelector<HTMLElement>('input[role="combobox"]')?.focus({ preventScroll: true })
  }, [keeper, form])

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
        aria-label={titles[view.words.kind]}
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
        <ComposerHeader composer={composer} own={own} onDiscard={discard.ask} onClose={onClose} />
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
          <RecipientLines composer={composer} />
          <SubjectField composer={composer} />
          <BodyField composer={composer} isFoot={isFoot} />
          <DraftFiles files={view.files} uploads={uploads} error={composer.fileError} onRemove={(file) => void discard.removeFile(file)} />
        </div>
        {refused !== null && (
          <p role="alert" className="flex-none px-4 pt-2 text-sm text-danger-fg">
            {refused}
          </p>
        )}
        <ComposerFooter composer={composer} isDropTarget={drop.over} />
      </form>
      {discard.dialog}
    </>
  )
}

interface ComposerHeaderProps {
  composer: ComposerState
  own: string
  onDiscard: () => void
  onClose: () => void
}

function ComposerHeader({ composer: { view, isUnavailable }, own, onDiscard, onClose }: ComposerHeaderProps) {
  return (
    <header className="flex flex-none items-center gap-2 border-b border-line py-1 pr-2 pl-4">
      <h2 className="flex-none text-sm font-semibold text-fg">{titles[view.words.kind]}</h2>
      <span className="min-w-0 flex-1 truncate text-xs text-fg-3">from {own}</span>
      <SaveState view={view} />
      <IconButton label="Discard" size="sm" icon={<Trash2 />} onClick={onDiscard} disabled={isUnavailable} />
      <IconButton label="Close, and keep the draft" keys="esc" size="sm" icon={<X />} onClick={onClose} />
    </header>
  )
}

/** The buttons that attach files and send. */
function ComposerFooter({ composer, isDropTarget }: { composer: ComposerState; isDropTarget: boolean }) {
  const { view, uploads, isBusy, isUnavailable } = composer
  const { words, state } = view
  const chooser = useRef<HTMLInputElement>(null)
  const isNew = words.kind !== 'reply'
  return (
    <>
      <footer className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-2">
        <Button variant="quiet" icon={<Paperclip />} disabled={isUnavailable} onClick={() => chooser.current?.click()}>
          Attach
        </Button>
        <p className="min-w-0 flex-1 basis-48 text-xs text-fg-3">{isDropTarget ? 'Drop the files here.' : below[words.kind]}</p>
        <Keys keys="mod+enter" className="max-md:hidden" />
        <Button type="submit" variant="filled" busy={isBusy} busyLabel="Sending…" disabled={isUnavailable}>
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
          uploads.add([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}
