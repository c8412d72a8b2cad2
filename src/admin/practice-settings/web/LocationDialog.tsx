import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { LocationData } from '../../../platform/practice/web/embed/usePractice.ts'

interface LocationDialogProps {
  /** Null to add one. */
  location: LocationData | null
  /** The practice's own address and phone, which a location inherits unless it has its own. */
  practice: { address: string; phone: string }
  onClose: () => void
}

export default function LocationDialog({ location, practice, onClose }: LocationDialogProps) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: {
      name: location?.name ?? '',
      address: location?.address ?? practice.address,
      phone: location?.phone ?? practice.phone,
      isActive: location?.isActive ?? true,
    },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Name the location' : undefined }),
    refusals: { NAME_TAKEN: 'name' },
    async send({ name, isActive, ...contact }) {
      const ownValue = (field: 'address' | 'phone') => (contact[field].trim() === practice[field] ? '' : contact[field])
      const fields = { name, address: ownValue('address'), phone: ownValue('phone') }
      if (location) await client.practice.changeLocation({ ...fields, id: location.id, isActive })
      else await client.practice.addLocation(fields)
    },
    done: location ? 'Location saved' : 'Location added',
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.practice.key() })
      onClose()
    },
  })

  return (
    <ActionDialog
      title={location ? 'Edit location' : 'Add location'}
      form={form}
      action={{ label: location ? 'Save location' : 'Add location' }}
      onClose={onClose}
    >
      <Field label="Name" error={form.problems.name} hint="The name staff use.">
        <Input {...form.text('name')} maxLength={80} autoComplete="off" />
      </Field>
      <Field label="Address" optional hint="Shown to patients in emails and calendar events.">
        <Input {...form.text('address')} maxLength={200} autoComplete="off" />
      </Field>
      <Field label="Phone" optional>
        <Input type="tel" {...form.text('phone')} maxLength={40} autoComplete="off" />
      </Field>
      {location && (
        <CheckboxLine {...form.tick('isActive')} hint="Inactive locations keep their past appointments.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
