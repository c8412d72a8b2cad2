import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { DateInput, TimeInput } from '../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { ContactPicker } from '../../../contacts/web/embed/ContactPicker.tsx'
import type { FormFields } from '../../../../ui/forms/useActionForm.ts'
import type { TaskPerson } from '../../contract.ts'
import type { TaskPatient } from '../embed/task-dialog.ts'
import { optionsOf, priorityLabels, statusLabels, typeLabels } from '../task-labels.ts'
import { AssigneePicker } from './AssigneePicker.tsx'
import type { TaskValues } from './task-values.ts'

interface TaskFieldsProps {
  form: FormFields<TaskValues>
  /** The first selectable day (spec 5), and a hint when the task is due without a time. */
  due: { firstDay: string; hint: string }
  assigned: readonly TaskPerson[]
  patient: TaskPatient | null
  requireContact: boolean
}

/** Addresses of this installation in a text, which a job put there. Others are not offered: anyone may have written them. */
const ownPathsIn = (text: string): string[] =>
  [...new Set(text.match(/https?:\/\/\S+/g))].flatMap((address) => {
    const url = URL.parse(address)
    return url?.origin === location.origin ? [url.pathname + url.search] : []
  })

/** The fields of the dialog, in the order of spec 2. */
export function TaskFields({ form, due, assigned, patient, requireContact }: TaskFieldsProps) {
  const people = useQuery(orpc.tasks.assignable.queryOptions({ staleTime: 60_000 }))
  const { problems, values } = form
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4">
      <Field label="Title" error={problems.title} className="col-span-2">
        <Input {...form.text('title')} autoComplete="off" />
      </Field>
      <Field label="Description" optional error={problems.description} className="col-span-2">
        <Textarea {...form.text('description')} rows={2} />
      </Field>
      {ownPathsIn(values.description).map((path) => (
        <a key={path} href={path} className="col-span-2 -mt-3 w-fit rounded-xs text-sm text-accent-fg hover:underline">
          Open the page named in the description
        </a>
      ))}
      <Field label="Type" error={problems.type}>
        <Select {...form.choice('type')} options={optionsOf(typeLabels)} />
      </Field>
      <Field label="Due date" error={problems.dueDate}>
        <DateInput {...form.bind('dueDate')} min={due.firstDay} />
      </Field>
      <Field label="Time constraint" hideLabel className="justify-center pt-1">
        <CheckboxLine
          checked={values.hasTimeConstraint}
          onCheckedChange={(hasTimeConstraint) =>
            form.set({ hasTimeConstraint, dueTimeConstraint: hasTimeConstraint ? values.dueTimeConstraint : '' })
          }
        >
          Set a time
        </CheckboxLine>
      </Field>
      {values.hasTimeConstraint ? (
        <Field label="Time" hideLabel error={problems.dueTimeConstraint}>
          <TimeInput {...form.bind('dueTimeConstraint')} aria-label="Time" />
        </Field>
      ) : (
        <p aria-live="polite" className="self-center text-sm text-fg-3">
          {due.hint}
        </p>
      )}
      <Field label="Priority" error={problems.priority}>
        <Select {...form.choice('priority')} options={optionsOf(priorityLabels)} />
      </Field>
      <Field label="Status" error={problems.status}>
        <Select {...form.choice('status')} options={optionsOf(statusLabels)} />
      </Field>
      <Field label="Assignees" error={problems.assigneeIds} className="col-span-2">
        <AssigneePicker
          value={values.assigneeIds}
          onChange={(assigneeIds) => form.set({ assigneeIds })}
          people={people.data ?? []}
          assigned={assigned}
          loading={people.isFetching}
        />
      </Field>
      <Field label={requireContact ? 'Patient' : 'Patient (Optional)'} error={problems.contactId} className="col-span-2">
        <ContactPicker {...form.bind('contactId')} selected={patient} clearable={!requireContact} />
      </Field>
    </div>
  )
}
