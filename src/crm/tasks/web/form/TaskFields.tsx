import type { Control } from 'react-hook-form'
import { CheckboxLine } from '../../../../ui/Checkbox.tsx'
import { DateInput, TimeInput } from '../../../../ui/DateInput.tsx'
import { FormField } from '../../../../ui/Form.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { Textarea } from '../../../../ui/Textarea.tsx'
import { ContactPicker } from '../../../contacts/web/embed/ContactPicker.tsx'
import type { TaskForm, TaskPerson } from '../../contract.ts'
import type { TaskPatient } from '../embed/task-dialog.ts'
import { optionsOf, priorityLabels, statusLabels, typeLabels } from '../task-labels.ts'
import { AssigneePicker } from './AssigneePicker.tsx'
import type { TaskValues } from './task-values.ts'

interface TaskFieldsProps {
  control: Control<TaskValues, unknown, TaskForm>
  /** The least day of the picker (spec 5). */
  firstDay: string
  hasTime: boolean
  /** When it is due without a time, in words. */
  dueHint: string
  onTimeOff: () => void
  people: readonly TaskPerson[]
  loadingPeople: boolean
  assigned: readonly TaskPerson[]
  patient: TaskPatient | null
  requireContact: boolean
}

/** Spec 2: the dialog's fields, in its order. */
export function TaskFields({
  control,
  firstDay,
  hasTime,
  dueHint,
  onTimeOff,
  people,
  loadingPeople,
  assigned,
  patient,
  requireContact,
}: TaskFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4">
      <FormField control={control} name="title" label="Title" className="col-span-2">
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField control={control} name="description" label="Description" optional className="col-span-2">
        {(field) => <Textarea {...field} rows={2} />}
      </FormField>
      <FormField control={control} name="type" label="Type">
        {({ value, onChange, ...field }) => <Select {...field} value={value} onValueChange={onChange} options={optionsOf(typeLabels)} />}
      </FormField>
      <FormField control={control} name="dueDate" label="Due date">
        {({ onChange, ...field }) => <DateInput {...field} onValueChange={onChange} min={firstDay} />}
      </FormField>
      <FormField control={control} name="hasTimeConstraint" label="Time constraint" hideLabel className="justify-center pt-1">
        {({ value, onChange }) => (
          <CheckboxLine
            checked={value}
            onCheckedChange={(checked) => {
              onChange(checked)
              if (!checked) onTimeOff()
            }}
          >
            Set a time
          </CheckboxLine>
        )}
      </FormField>
      {hasTime ? (
        <FormField control={control} name="dueTimeConstraint" label="Time" hideLabel>
          {({ onChange, ...field }) => <TimeInput {...field} aria-label="Time" onValueChange={onChange} />}
        </FormField>
      ) : (
        <p aria-live="polite" className="self-center text-sm text-fg-3">
          {dueHint}
        </p>
      )}
      <FormField control={control} name="priority" label="Priority">
        {({ value, onChange, ...field }) => (
          <Select {...field} value={value} onValueChange={onChange} options={optionsOf(priorityLabels)} />
        )}
      </FormField>
      <FormField control={control} name="status" label="Status">
        {({ value, onChange, ...field }) => <Select {...field} value={value} onValueChange={onChange} options={optionsOf(statusLabels)} />}
      </FormField>
      <FormField control={control} name="assigneeIds" label="Assignees" className="col-span-2">
        {({ value, onChange, ref, onBlur }) => (
          <AssigneePicker
            ref={ref}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            people={people}
            assigned={assigned}
            loading={loadingPeople}
          />
        )}
      </FormField>
      <FormField control={control} name="contactId" label={requireContact ? 'Patient' : 'Patient (Optional)'} className="col-span-2">
        {({ value, onChange, ref, onBlur }) => (
          <ContactPicker ref={ref} value={value} onValueChange={onChange} onBlur={onBlur} selected={patient} clearable={!requireContact} />
        )}
      </FormField>
    </div>
  )
}
