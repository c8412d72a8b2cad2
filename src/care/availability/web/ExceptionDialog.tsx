import { useQueryClient } from '@tanstack/react-query'
import type { Person } from '../../../platform/auth/people-contract.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput, TimeInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { availabilityMessages } from '../contract.ts'

interface ExceptionDialogProps {
  person: Person
  /** Whether additional hours may be chosen instead of time off. */
  mayAddHours: boolean
  onClose: () => void
}

/** Time off, or additional hours, on a day or a range of days. */
export default function ExceptionDialog({ person, mayAddHours, onClose }: ExceptionDialogProps) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: { kind: 'off' as 'off' | 'extra', fromDay: '', toDay: '', isWholeDay: true, opens: '', closes: '', note: '' },
    check({ kind, fromDay, toDay, isWholeDay, opens, closes }) {
      const hasTimes = kind === 'extra' || !isWholeDay
      return {
        fromDay: fromDay === '' ? 'Enter a date' : undefined,
        toDay: toDay !== '' && toDay < fromDay ? availabilityMessages.toDay : undefined,
        opens: hasTimes && opens === '' ? 'Enter a time' : undefined,
        closes: !hasTimes ? undefined : closes === '' ? 'Enter a time' : closes <= opens ? availabilityMessages.closes : undefined,
      }
    },
    send: ({ kind, fromDay, toDay, isWholeDay, opens, closes, note }) =>
      client.availability.addException({
        profileId: person.id,
        kind,
        fromDay,
        toDay: toDay === '' ? fromDay : toDay,
        ...((kind === 'extra' || !isWholeDay) && { opens, closes }),
        note: note.trim() === '' ? null : note,
      }),
    done: ({ kind, bookings }) => {
      if (kind === 'extra') return 'Additional hours added'
      if (bookings === 0) return 'Time off added'
      return `Time off added. ${bookings === 1 ? '1 booking' : `${bookings} bookings`} in it ${bookings === 1 ? 'stays' : 'stay'}: reschedule ${bookings === 1 ? 'it' : 'them'} in the calendar.`
    },
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.availability.key() })
      onClose()
    },
  })
  const { problems, values } = form
  const hasTimes = values.kind === 'extra' || !values.isWholeDay
  return (
    <ActionDialog
      title={values.kind === 'off' ? 'Add time off' : 'Add additional hours'}
      description={person.fullName}
      form={form}
      action={{ label: values.kind === 'off' ? 'Add time off' : 'Add hours', busyLabel: 'Adding…' }}
      onClose={onClose}
    >
      {mayAddHours && (
        <Field label="Type">
          <Select
            {...form.choice('kind')}
            options={[
              { value: 'off', label: 'Time off' },
              { value: 'extra', label: 'Additional hours' },
            ]}
          />
        </Field>
      )}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="First day" error={problems.fromDay}>
          <DateInput {...form.bind('fromDay')} />
        </Field>
        <Field label="Last day" optional error={problems.toDay}>
          <DateInput {...form.bind('toDay')} />
        </Field>
        {values.kind === 'off' && (
          <CheckboxLine {...form.tick('isWholeDay')} className="col-span-2">
            Whole days
          </CheckboxLine>
        )}
        {hasTimes && (
          <>
            <Field label="From" error={problems.opens}>
              <TimeInput {...form.bind('opens')} />
            </Field>
            <Field label="To" error={problems.closes}>
              <TimeInput {...form.bind('closes')} />
            </Field>
          </>
        )}
      </div>
      <Field label="Note for the staff" optional error={problems.note}>
        <Input {...form.text('note')} maxLength={200} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
