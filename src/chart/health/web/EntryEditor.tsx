import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { client } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ConflictNotice } from '../../../ui/forms/ConflictNotice.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { type FormFields, useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { entryLimits } from '../contract.ts'
import { type EntryKind, hasField, severities } from '../rules.ts'
import { useEditing } from './editing.ts'
import { blankEntry, changedFields, entryProblems, entryValuesOf, type EntryValues, toEntry } from './entry-values.ts'
import { conflictOf, type EntryData, type HealthData } from './health-data.ts'
import { kindLabels, nameLabels, severityLabels, statusAction } from './labels.ts'
import type { HealthActions } from './useHealth.ts'

const ErrorDialog = lazyDialog(
  () => import('./ErrorDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface EntryEditorProps {
  contactId: string
  /** Null for a new entry. */
  entry: EntryData | null
  /** The kinds that a new entry may have. */
  kinds: readonly EntryKind[]
  actions: HealthActions
}

/** Adds or changes an entry in place. Enter saves, Escape closes. */
export function EntryEditor({ contactId, entry, kinds, actions }: EntryEditorProps) {
  const { close, registerSave } = useEditing()
  const [base, setBase] = useState(entry)
  const [isInError, setInError] = useState(false)
  const form = useActionForm<EntryValues, HealthData | null, EntryData>({
    initial: () => (entry ? entryValuesOf(entry) : blankEntry(kinds[0]!)),
    check: entryProblems,
    async send(values) {
      if (base === null) return client.health.addEntry({ contactId, ...toEntry(values) })
      const changed = changedFields(base, values)
      return Object.keys(changed).length === 0 ? null : client.health.changeEntry({ id: base.id, version: base.version, ...changed })
    },
    theirs: conflictOf,
    onDone: (health) => health && actions.put(health),
  })
  const { conflict, isBusy } = form
  const guard = useUnsavedGuard(() => form.isDirty && !isBusy)

  const box = useRef<HTMLDivElement>(null)
  // Before the user can type anything.
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  const send = async () => conflict === null && (await form.submit())
  // What was not changed needs no saving when another editor opens.
  const save = async () => !form.isDirty || (await send())
  useEffect(() => {
    registerSave(save)
    return () => registerSave(null)
  })

  async function submit() {
    const isSaved = await (base === null ? send() : save())
    if (isSaved) close()
    return isSaved
  }

  function resolve(keep: 'mine' | 'theirs') {
    if (conflict === null) return
    setBase(conflict)
    if (keep === 'mine') form.rebase(entryValuesOf(conflict))
    else form.rebase(entryValuesOf(conflict), [])
  }

  function closeOnEscape(event: KeyboardEvent<HTMLDivElement>) {
    const { target, currentTarget, key } = event
    // Not for keys of an open list or dialog.
    if (key !== 'Escape' || event.defaultPrevented || !(target instanceof Node) || !currentTarget.contains(target)) return
    event.preventDefault()
    close()
  }

  const status = base && statusAction(base)
  return (
    <div ref={box} role="group" aria-label={base ? `Edit ${base.name}` : 'Add entry'} {...{ onKeyDown: closeOnEscape }}>
      <Form form={{ ...form, submit }} className="flex flex-col gap-3 py-3">
        {form.problems.form && <Alert tone="danger">{form.problems.form}</Alert>}
        {conflict && <ConflictNotice title="Someone else has changed this entry." onResolve={resolve} />}
        <EntryFields form={form} kinds={base ? [] : kinds} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" size="sm" busy={isBusy} busyLabel="Saving…" disabled={conflict !== null}>
            {base ? 'Save' : 'Add'}
          </Button>
          <Button size="sm" variant="quiet" onClick={close}>
            Cancel
          </Button>
          {base && (
            <span className="ml-auto flex flex-wrap gap-2">
              {status && (
                <Button
                  size="sm"
                  variant="quiet"
                  onClick={() => {
                    close()
                    void actions.changeStatus(base, status.to, status.done)
                  }}
                >
                  {status.label}
                </Button>
              )}
              {base.status !== 'entered_in_error' && (
                <Button size="sm" variant="quiet" onPointerEnter={ErrorDialog.prepare} onClick={() => setInError(true)}>
                  Entered in error
                </Button>
              )}
            </span>
          )}
        </div>
      </Form>
      {isInError && base && (
        <ErrorDialog
          entry={base}
          onClose={() => setInError(false)}
          onDone={(reason) => {
            close()
            void actions.changeStatus(base, 'entered_in_error', `${base.name} marked as entered in error`, reason)
          }}
        />
      )}
      {guard.dialog}
    </div>
  )
}

/** The fields that entries of this kind have. */
function EntryFields({ form, kinds }: { form: FormFields<EntryValues>; kinds: readonly EntryKind[] }) {
  const { values, problems } = form
  const { kind } = values
  return (
    <div className="grid gap-x-3 gap-y-3 md:grid-cols-2">
      {kinds.length > 1 && (
        <Field label="Type" error={problems.kind}>
          <Select {...form.choice('kind')} options={kinds.map((value) => ({ value, label: kindLabels[value] }))} />
        </Field>
      )}
      <Field label={nameLabels[kind]} error={problems.name} className={kind === 'alert' ? 'md:col-span-2' : undefined}>
        <Input {...form.text('name')} maxLength={entryLimits.name} autoComplete="off" />
      </Field>
      {hasField(kind, 'severity') && (
        <Field label="Severity" optional error={problems.severity}>
          <Select
            {...form.bind('severity')}
            noneLabel="Unknown"
            options={severities.map((value) => ({ value, label: severityLabels[value] }))}
          />
        </Field>
      )}
      {hasField(kind, 'dose') && (
        <Field label="Dose" optional error={problems.dose}>
          <Input {...form.text('dose')} maxLength={entryLimits.dose} autoComplete="off" />
        </Field>
      )}
      {hasField(kind, 'year') && (
        <Field label="Year" optional error={problems.year}>
          <Input {...form.text('year')} inputMode="numeric" maxLength={4} autoComplete="off" />
        </Field>
      )}
      {hasField(kind, 'anaesthesia') && (
        <Field label="Anaesthesia" optional error={problems.anaesthesia}>
          <Input {...form.text('anaesthesia')} maxLength={entryLimits.anaesthesia} autoComplete="off" />
        </Field>
      )}
      {hasField(kind, 'stopDays') && (
        <Field label="Stop before surgery" optional error={problems.stopDays}>
          <Input {...form.text('stopDays')} inputMode="numeric" maxLength={3} trailing="days" autoComplete="off" />
        </Field>
      )}
      {kind !== 'alert' && (
        <Field label={kind === 'allergy' ? 'Reaction' : 'Details'} optional error={problems.detail}>
          <Input {...form.text('detail')} maxLength={entryLimits.detail} autoComplete="off" />
        </Field>
      )}
      {hasField(kind, 'isWeightLoss') && (
        <CheckboxLine
          {...form.tick('isWeightLoss')}
          className="md:col-span-2"
          hint="The patient’s details name it, as long as it is current."
        >
          Weight-loss medication
        </CheckboxLine>
      )}
    </div>
  )
}
