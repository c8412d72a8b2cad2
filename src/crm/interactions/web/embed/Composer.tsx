import { useMutation } from '@tanstack/react-query'
import { CircleAlert, Mail, NotebookPen, Phone, SquareCheck } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { Keys } from '../../../../ui/display/Kbd.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { CallOutcome } from '../../contract.ts'
import { type Draft, deleteDraft, saveDraft, loadDraft } from '../drafts.ts'
import { outcomeLabels, defaultDescriptions } from '../outcomes.ts'

const modes = {
  call: { label: 'Call', icon: Phone, placeholder: 'Call notes', submit: 'Log call', busy: 'Logging…', done: 'Call logged' },
  note: { label: 'Note', icon: NotebookPen, placeholder: 'Write a note', submit: 'Add note', busy: 'Adding…', done: 'Note added' },
}
const outcomes = (Object.keys(outcomeLabels) as CallOutcome[]).map((value) => ({ value, label: outcomeLabels[value] }))
const modeStyle = 'relative flex h-9 items-center gap-2 rounded-sm px-2.5 text-md font-medium touch-target md:h-7 md:text-sm'
/** The limit in the API contract. */
const maxLength = 10_000

interface ComposerProps {
  contactId: string
  onLogged: () => void
  /** Opens a new email to the patient. Undefined for roles that can't send emails. */
  onEmail: (() => void) | undefined
  onTask: () => void
  /** The patient is being called: the notes about the call come next. */
  isCalling: boolean
  onCallShown: () => void
}

/** Logs a call or adds a note, and opens a new email or task. The draft survives errors and leaving the page. */
export function Composer({ contactId, onLogged, onEmail, onTask, isCalling, onCallShown }: ComposerProps) {
  const [draft, setDraft] = useState<Draft>(() => loadDraft(contactId))
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const errorId = useId()
  const create = useMutation(orpc.interactions.create.mutationOptions())
  const mode = modes[draft.mode]

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    setError(null)
    saveDraft(contactId, next)
  }

  async function submit() {
    if (create.isPending) return
    const isCall = draft.mode === 'call'
    const text = draft.text.trim() || (isCall ? defaultDescriptions[draft.outcome] : '')
    if (!text) {
      setError('Enter what happened')
      field.current?.focus()
      return
    }
    try {
      await create.mutateAsync({
        contactId,
        type: draft.mode,
        description: text,
        ...(isCall && { outcome: draft.outcome }),
      })
      // Keep text that was typed while the request was running.
      if (loadDraft(contactId).text === draft.text) deleteDraft(contactId)
      setDraft((now) => (now.text === draft.text ? { ...now, text: '' } : now))
      setError(null)
      toast.success(mode.done)
      onLogged()
    } catch (failure) {
      setError(`${messageOf(failure)} What you typed is kept.`)
    }
  }

  useEffect(() => {
    if (!isCalling) return
    setDraft((before) => ({ ...before, mode: 'call' }))
    field.current?.focus()
    onCallShown()
  }, [isCalling, onCallShown])

  useComposerKeys((next) => {
    change({ mode: next })
    field.current?.focus()
  })

  return (
    <form
      aria-label="Log a call or add a note"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="rounded-lg border border-line-2 bg-raised shadow-xs has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:shadow-[0_0_0_3px_var(--field-ring)]"
    >
      <ModeBar current={draft.mode} onMode={(next) => change({ mode: next })} onEmail={onEmail} onTask={onTask} />
      <textarea
        ref={field}
        rows={1}
        value={draft.text}
        maxLength={maxLength}
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void submit()
        }}
        aria-label={draft.mode === 'call' ? 'Call notes' : 'Note'}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : errorId}
        placeholder={mode.placeholder}
        className="block field-sizing-content max-h-80 min-h-10 w-full resize-none bg-transparent px-3.5 py-2 text-lg text-fg outline-none md:text-md"
      />
      {error !== null && (
        <p id={errorId} role="alert" className="flex gap-1.5 px-3.5 pb-2 text-sm text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5" />
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 px-2 pb-2">
        {draft.mode === 'call' ? (
          <SegmentedControl
            aria-label="Call outcome"
            value={draft.outcome}
            onValueChange={(outcome) => change({ outcome })}
            options={outcomes}
          />
        ) : (
          <span />
        )}
        <span className="flex items-center gap-3">
          <Keys keys="mod+enter" className="max-md:hidden" />
          <Button type="submit" variant="filled" busy={create.isPending} busyLabel={mode.busy} className="max-md:h-9 md:h-7">
            {mode.submit}
          </Button>
        </span>
      </div>
    </form>
  )
}

interface ModeBarProps extends Pick<ComposerProps, 'onEmail' | 'onTask'> {
  current: Draft['mode']
  onMode: (mode: Draft['mode']) => void
}

/** The choice between call and note, and the buttons that open an email or a task instead. */
function ModeBar({ current, onMode, onEmail, onTask }: ModeBarProps) {
  return (
    <div role="group" aria-label="What to add" className="flex gap-1 px-1.5 pt-1.5">
      {(['call', 'note'] as const).map((value) => {
        const { icon: Icon, label } = modes[value]
        const active = value === current
        return (
          <button
            key={value}
            type="button"
            aria-pressed={active}
            onClick={() => onMode(value)}
            className={cn(modeStyle, active ? 'bg-hover text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg')}
          >
            <Icon />
            {label}
          </button>
        )
      })}
      {onEmail && (
        <button type="button" onClick={onEmail} className={cn(modeStyle, 'text-fg-2 hover:bg-hover hover:text-fg')}>
          <Mail />
          Email
        </button>
      )}
      <button type="button" onClick={onTask} className={cn(modeStyle, 'text-fg-2 hover:bg-hover hover:text-fg')}>
        <SquareCheck />
        Task
      </button>
    </div>
  )
}

/** Keyboard shortcuts: l and n focus the composer from anywhere on the page. */
function useComposerKeys(start: (mode: Draft['mode']) => void) {
  const latest = useRef(start)
  useEffect(() => {
    latest.current = start
  })
  useHotkeys(
    useMemo<Hotkey[]>(
      () => [
        { keys: 'l', label: 'Log a call', group: 'Patient', run: () => latest.current('call') },
        { keys: 'n', label: 'Add a note', group: 'Patient', run: () => latest.current('note') },
      ],
      [],
    ),
  )
}
