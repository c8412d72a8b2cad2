import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Field } from '../../../ui/forms/Field.tsx'

export const surgeriesOf = (contactId: string) => orpc.surgeries.ofContact.queryOptions({ input: { contactId } })

interface SurgeryFieldProps {
  contactId: string
  value: string | null
  onChange: (surgeryId: string | null) => void
  error: string | undefined
  hint: string
}

/** One of the patient's surgeries, if there are any. */
export function SurgeryField({ contactId, value, onChange, error, hint }: SurgeryFieldProps) {
  const { timeZone } = useClock()
  const surgeries = useQuery(surgeriesOf(contactId))
  if (!surgeries.data || surgeries.data.length === 0) return null
  return (
    <Field label="Surgery" optional error={error} hint={hint}>
      <Select
        value={value}
        noneLabel="None"
        onValueChange={onChange}
        options={surgeries.data.map(({ id, procedures, startsAt }) => ({
          value: id,
          label: `${procedures.map(({ name }) => name).join(', ')}, ${formatDate(startsAt, timeZone)}`,
        }))}
      />
    </Field>
  )
}
