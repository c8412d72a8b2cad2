import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { messageOf } from '../../ui/client/api.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { today } from '../../ui/format.ts'
import { clashesOf } from '../../crm/contacts/web/embed/form/conflict.ts'
import { ConflictDialog } from '../../crm/contacts/web/embed/form/ConflictDialog.tsx'
import { ConsultFields } from '../../crm/contacts/web/embed/form/ConsultFields.tsx'
import { ContactField } from '../../crm/contacts/web/embed/form/ContactField.tsx'
import { type ContactFields, fieldsOf, valuesOf } from '../../crm/contacts/web/embed/form/form-values.ts'
import { useContactForm } from '../../crm/contacts/web/embed/form/useContactForm.ts'
import { useProblemFocus } from '../../ui/forms/useProblemFocus.ts'
import { useUnsavedGuard } from '../../ui/forms/useUnsavedGuard.tsx'
import { type FactName, fieldsOfFact, type FormFieldName } from '../../crm/contacts/form-fields.ts'
import { fieldOf, isOfKind } from '../../crm/contacts/derived-fields.ts'
import { listLabels } from '../../crm/contacts/rules.ts'
import { useEditing } from './editing.ts'

/**
 * Edits a fact of a patient in place, with the controls, validation and conflict handling of the form. Changes are compared with the
 * patient as loaded when the editor opened, so that nobody else's changes are overwritten unnoticed.
 */
export default function FactEditor({ fact }: { fact: FactName }) {
  const { contact, directory, change, close, step, registerSave } = useEditing()
  const names = fieldsOfFact(fact)
  const { form, base, mine, resolveConflict, clock } = useContactForm(contact, {
    send: (fields, version) => save(fields, version),
    onRefused: (error, problems) =>
      problems.form === undefined ? problems : { [names[0] ?? 'form']: `${messageOf(error)} Your input is kept.` },
  })
  const { conflict, submit } = form
  const guard = useUnsavedGuard(() => form.isDirty)

  // In a layout effect, so that the focus is set before the user can type anything.
  const box = useProblemFocus<HTMLDivElement>({ tries: form.tries })
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), [box])

  async function save(wanted: Partial<ContactFields>, version: number): Promise<void> {
    const before = fieldsOf(valuesOf(base ?? contact, clock.timeZone), clock.timeZone)
    const changed = Object.keys(wanted) as (keyof ContactFields)[]
    if (changed.length === 0) return
    let refusal: unknown
    const isSaved = await change({
      fields: wanted,
      version,
      expected: {},
      done: `${listLabels(changed)} changed`,
      failed: 'The change was not saved',
      undo: Object.fromEntries(changed.map((field) => [field, before[field]])),
      refused(error) {
        refusal = error
      },
    })
    if (!isSaved) throw refusal
  }

  useEffect(() => {
    registerSave(submit)
    return () => registerSave(null)
  })

  async function submitAndClose() {
    if (await submit()) close()
  }

  const keys = useFactKeys({ submitAndClose, close, step })

  return (
    <div
      ref={box}
      role="group"
      aria-label="Edit"
      data-fact={fact}
      aria-busy={form.isBusy}
      {...keys}
      className="flex min-w-0 flex-1 flex-col gap-2.5"
    >
      <div className="grid grid-cols-2 gap-x-2 gap-y-2.5">
        {fact === 'specialist' ? (
          <ConsultFields
            form={form}
            className="col-span-2"
            onResultsReceived={() => {
              if (form.values.specialistResultsDate === '') form.set({ specialistResultsDate: today(clock) })
            }}
          />
        ) : (
          names.map((name) => (
            <ContactField
              key={name}
              form={form}
              name={name}
              directory={directory}
              inPlace={{ onChosen: () => void submitAndClose() }}
              className={isHalf(name) ? undefined : 'col-span-2'}
            />
          ))
        )}
      </div>
      {/* For mouse users; keyboard users have Enter, Esc, and Tab for the next fact. */}
      <div className="flex gap-2">
        <Button size="sm" tabIndex={-1} busy={form.isBusy} busyLabel="Saving…" onClick={() => void submitAndClose()}>
          Save
        </Button>
        <Button size="sm" variant="quiet" tabIndex={-1} onClick={close}>
          Cancel
        </Button>
      </div>
      {conflict && (
        <ConflictDialog
          key={conflict.current.version}
          clashes={clashesOf(conflict, mine, directory, clock)}
          busy={form.isBusy}
          onClose={form.dismissConflict}
          onSave={(choices) => void resolveConflict(conflict, choices).then((isSaved) => isSaved && close())}
        />
      )}
      {guard.dialog}
    </div>
  )
}

interface FactKeys extends Pick<ReturnType<typeof useEditing>, 'close' | 'step'> {
  submitAndClose: () => Promise<void>
}

/** The event handlers of the editor: Enter saves, Escape closes, and Tab goes to the next fact. */
function useFactKeys({ submitAndClose, close, step }: FactKeys) {
  // Tab may move within a date field; only when it leaves the editor does it go to the next fact.
  const tabDirection = useRef<1 | -1 | null>(null)
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { target, currentTarget, key, shiftKey } = event
    // Ignore keys that bubble up from an open list or dialog.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target) || event.nativeEvent.isComposing) return
    tabDirection.current = key === 'Tab' ? (shiftKey ? -1 : 1) : null
    if (key === 'Escape') {
      event.preventDefault()
      close()
    } else if (key === 'Enter' && isSubmitKey(event)) {
      event.preventDefault()
      void submitAndClose()
    }
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) {
    if (tabDirection.current !== null && !currentTarget.contains(relatedTarget)) step(tabDirection.current)
  }
  return {
    onKeyDown,
    onKeyUp() {
      tabDirection.current = null
    },
    onBlur,
  }
}

const isHalf = (name: FormFieldName): boolean => fieldOf(name).width === 'half' || isOfKind(name, 'name')

/** Enter saves from a text field or a checkbox; a text area needs Ctrl or ⌘, and buttons and lists keep their own Enter. */
function isSubmitKey({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return true
  return target instanceof HTMLInputElement || (target instanceof HTMLElement && target.role === 'checkbox')
}
