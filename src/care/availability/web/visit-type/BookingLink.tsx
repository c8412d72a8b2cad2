import { useState } from 'react'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import type { VisitTypeData } from '../embed/useAvailability.ts'

/** The address of the booking page with this visit chosen, with anyone or with one of its providers. */
export function BookingLink({ visitType: { id, providerIds } }: { visitType: VisitTypeData }) {
  const { people } = useDirectory()
  /** Null: anyone. */
  const [providerId, setProviderId] = useState<string | null>(null)
  return (
    <div className="grid items-start gap-x-3 gap-y-4 md:grid-cols-[1fr_2fr]">
      <Field label="Link for" className="pt-1">
        <Select
          value={providerId}
          onValueChange={setProviderId}
          noneLabel="Anyone"
          options={providerIds.map((one) => ({
            value: one,
            label: people.find((person) => person.id === one)?.fullName ?? 'Former staff',
          }))}
        />
      </Field>
      <CopyField
        label="Link to this visit"
        value={`${location.origin}/book?visit=${id}${providerId === null ? '' : `&provider=${providerId}`}`}
      >
        Opens the booking page with this visit chosen. Add &amp;source= and a name to see where bookings come from.
      </CopyField>
    </div>
  )
}
