import { useClock } from '../../../../../ui/client/session.ts'
import { DateInput } from '../../../../../ui/controls/DateInput.tsx'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { today } from '../../../../../ui/format.ts'
import { toInstant } from '../../../../../shared/zoned-time.ts'
import { defaultTime } from '../../embed/follow-up-choices.ts'
import type { WantedChange } from './useBulkChange.ts'

interface FollowUpDayDialogProps {
  /** '20 patients' */
  who: string
  onChoose: (wanted: WantedChange) => void
  onClose: () => void
}

/** Asks for a follow-up date, today or later in the practice's time zone. */
export default function FollowUpDayDialog({ who, onChoose, onClose }: FollowUpDayDialogProps) {
  const clock = useClock()
  const first = today(clock)
  const form = useActionForm({
    initial: { day: '' },
    check: ({ day }) => ({ day: day === '' ? 'Enter a date' : day < first ? 'Choose today or a later day' : undefined }),
    async send({ day }) {
      onClose()
      onChoose({ kind: 'followUp', date: toInstant({ day, time: defaultTime }, clock.timeZone) })
    },
  })

  return (
    <ActionDialog
      title="Set follow-up date"
      description={`Sets the same date for ${who}.`}
      form={form}
      action={{ label: 'Set follow-up' }}
      onClose={onClose}
    >
      <Field label="Date" error={form.problems.day}>
        <DateInput {...form.bind('day')} min={first} />
      </Field>
    </ActionDialog>
  )
}
