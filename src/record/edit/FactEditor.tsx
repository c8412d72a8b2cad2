import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { messageOf, orpc, queryClient } from '../../ui/client/api.ts'
import { applyFieldErrors } from '../../ui/client/form-errors.ts'
import { Button } from '../../ui/Button.tsx'
import { today } from '../../ui/format.ts'
import { type Choices, clashesOf, withoutTheirs } from '../../crm/contacts/web/embed/form/conflict.ts'
import { ConflictDialog } from '../../crm/contacts/web/embed/form/ConflictDialog.tsx'
import { ConsultFields } from '../../crm/contacts/web/embed/form/ConsultFields.tsx'
import { ContactField } from '../../crm/contacts/web/embed/form/ContactField.tsx'
import { type ContactFields, fieldsOf, valuesOf } from '../../crm/contacts/web/embed/form/form-values.ts'
import { useContactForm } from '../../crm/contacts/web/embed/form/useContactForm.ts'
import { useUnsavedGuard } from '../../ui/useUnsavedGuard.tsx'
import { type Conflict, conflictOf } from '../../crm/contacts/web/embed/refusals.ts'
import { type FactName, fieldOf, fieldsOfFact, type FormFieldName, isOfKind } from '../../crm/contacts/fields.ts'
import { listLabels } from '../../crm/contacts/rules.ts'
import { useEditing } from './editing.ts'

/**
 * A fact of a patient, edited where it stands: the form's own controls, checks and conflicts. What is typed here is compared with the patient
 * as they were when the editor opened, so that nothing that someone else writes in the meantime is overwritten unseen.
 */
export default function FactEditor({ fact }: { fact: FactName }) {
  const { contact, directory, change, close, step, offer } = useEditing()
  const [base, setBase] = useState(contact)
  const { form, clock, rebase } = useContactForm(base)
  const [refused, setRefused] = useState<{ conflict: Conflict; mine: Partial<ContactFields> } | null>(null)
  const [busy, setBusy] = useState(false)
  const { isDirty } = form.formState
  const guard = useUnsavedGuard(() => isDirty)
  const names = fieldsOfFact(fact)

  // Before anything else can be typed.
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), [])

  async function send(wanted: Partial<ContactFields>, version: number): Promise<boolean> {
    const before = fieldsOf(valuesOf(base, clock.timeZone), clock.timeZone)
    const changed = Object.keys(wanted) as (keyof ContactFields)[]
    if (changed.length === 0) return true
    return change({
      fields: wanted,
      version,
      expected: {},
      done: `${listLabels(changed)} changed`,
      failed: 'The change was not saved',
      undo: Object.fromEntries(changed.map((field) => [field, before[field]])),
      refused(error) {
        const conflict = conflictOf(error)
        if (conflict) setRefused({ conflict, mine: wanted })
        else if (!applyFieldErrors(form, error))
          form.setError(names[0] ?? 'root', { type: 'server', message: `${messageOf(error)} What you typed is kept.` })
      },
    })
  }

  /** Saves what was changed; false when it was refused and what was typed stays here. Twice at once is once. */
  const sending = useRef<Promise<boolean> | null>(null)
  function submit(): Promise<boolean> {
    sending.current ??= (async () => {
      let saved = false
      setBusy(true)
      try {
        await form.handleSubmit(async (ready) => {
          saved = await send(ready.fields, base.version)
        })()
        return saved
      } finally {
        setBusy(false)
        sending.current = null
      }
    })()
    return sending.current
  }
  useEffect(() => {
    offer(submit)
    return () => offer(null)
  })

  async function submitAndClose() {
    if (await submit()) close()
  }

  /** Their version is what the rest of ours goes on top of. */
  async function settle({ current }: Conflict, mine: Partial<ContactFields>, choices: Choices) {
    const ours = withoutTheirs(mine, choices)
    setBase(current)
    rebase(current, ours)
    queryClient.setQueryData(orpc.contacts.get.queryKey({ input: { id: current.id } }), current)
    setBusy(true)
    const saved = await send(ours, current.version)
    setBusy(false)
    if (!saved) return
    setRefused(null)
    close()
  }

  // Tab may have places to go to within a date; only where it leads out of the editor does it lead to the next fact.
  const tab = useRef<1 | -1 | null>(null)
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { target, currentTarget, key, shiftKey } = event
    // What happens in an open list or dialog comes by here too, but belongs to it.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target) || event.nativeEvent.isComposing) return
    tab.current = key === 'Tab' ? (shiftKey ? -1 : 1) : null
    if (key === 'Escape') {
      event.preventDefault()
      close()
    } else if (key === 'Enter' && submits(event)) {
      event.preventDefault()
      void submitAndClose()
    }
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) {
    if (tab.current !== null && !currentTarget.contains(relatedTarget)) step(tab.current)
  }

  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- the keys belong to the controls inside
    <div
      ref={box}
      role="group"
      aria-label="Edit"
      data-fact={fact}
      aria-busy={busy}
      onKeyDown={onKeyDown}
      onKeyUp={() => {
        tab.current = null
      }}
      onBlur={onBlur}
      className="flex min-w-0 flex-1 flex-col gap-2.5"
    >
      <div className="grid grid-cols-2 gap-x-2 gap-y-2.5">
        {fact === 'specialist' ? (
          <ConsultFields
            control={form.control}
            className="col-span-2"
            onResultsReceived={() => {
              if (form.getValues('specialistResultsDate') === '') form.setValue('specialistResultsDate', today(clock))
            }}
          />
        ) : (
          names.map((name) => (
            <ContactField
              key={name}
              control={form.control}
              name={name}
              directory={directory}
              inPlace={{ onChosen: () => void submitAndClose() }}
              className={isHalf(name) ? undefined : 'col-span-2'}
            />
          ))
        )}
      </div>
      {/* For the pointer; the keyboard has Enter and Esc, and Tab for the next fact. */}
      <div className="flex gap-2">
        <Button size="sm" tabIndex={-1} busy={busy} busyLabel="Saving…" onClick={() => void submitAndClose()}>
          Save
        </Button>
        <Button size="sm" variant="quiet" tabIndex={-1} onClick={close}>
          Cancel
        </Button>
      </div>
      {refused && (
        <ConflictDialog
          key={refused.conflict.current.version}
          clashes={clashesOf(refused.conflict, refused.mine, directory, clock)}
          busy={busy}
          onClose={() => setRefused(null)}
          onSave={(choices) => void settle(refused.conflict, refused.mine, choices)}
        />
      )}
      {guard.dialog}
    </div>
  )
}

const isHalf = (name: FormFieldName): boolean => fieldOf(name).width === 'half' || isOfKind(name, 'name')

/** Enter saves from a line of text or a tick; in a long text it takes Ctrl or ⌘, and a button or a list keeps its own. */
function submits({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return true
  return target instanceof HTMLInputElement || (target instanceof HTMLElement && target.role === 'checkbox')
}
