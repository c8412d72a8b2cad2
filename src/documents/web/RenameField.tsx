import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { Input } from '../../ui/controls/Input.tsx'
import { documentMessages } from '../contract.ts'
import type { DocumentData } from './document-data.ts'
import type { DocumentActions } from './useDocumentActions.ts'
import { splitName } from './labels.ts'

interface RenameFieldProps {
  document: DocumentData
  change: DocumentActions['change']
  onClose: () => void
}

/** Edits the name in place: Enter saves, Esc cancels. The extension cannot be changed. */
export function RenameField({ document, change, onClose }: RenameFieldProps) {
  const [base, setBase] = useState(document)
  const { stem, extension } = splitName(base.name)
  const [typed, setTyped] = useState(stem)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.select(), [])

  async function save() {
    if (typed.trim() === '') return setError(documentMessages.name)
    if (busy) return
    setBusy(true)
    const outcome = await change(
      base,
      { name: `${typed.trim()}${extension}` },
      { done: `Renamed to ${typed.trim()}${extension}`, failed: `${base.name} was not renamed`, undo: { name: base.name } },
    )
    setBusy(false)
    if (outcome && 'saved' in outcome) onClose()
    else if (outcome) {
      setBase(outcome.theirs)
      setError(`Someone else renamed it to “${outcome.theirs.name}”. Save again to use your name.`)
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      void save()
    }
  }

  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- the keys belong to the field inside
    <div ref={box} role="group" aria-label={`Rename ${document.name}`} onKeyDown={onKeyDown} className="flex flex-col gap-2 pb-1">
      <Field label="Name" hideLabel error={error ?? undefined}>
        <Input
          value={typed}
          maxLength={150 - extension.length}
          trailing={extension || undefined}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value)
            setError(null)
          }}
        />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" busy={busy} busyLabel="Saving…" onClick={() => void save()}>
          Save
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
