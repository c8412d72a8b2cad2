import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { ActionDialog, type Problems } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { useAction } from '../../../ui/useAction.ts'
import type { LocationData } from '../../../platform/practice/web/embed/usePractice.ts'

interface LocationDialogProps {
  /** Null: a new one. */
  location: LocationData | null
  /** The practice's own, which a location has unless it says otherwise, and follows. */
  practice: { address: string; phone: string }
  onClose: () => void
}

export default function LocationDialog({ location, practice, onClose }: LocationDialogProps) {
  const cache = useQueryClient()
  const [name, setName] = useState(location?.name ?? '')
  const [address, setAddress] = useState(location?.address ?? practice.address)
  const [phone, setPhone] = useState(location?.phone ?? practice.phone)
  const [isActive, setActive] = useState(location?.isActive ?? true)
  const action = useAction({
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.practice.key() })
      onClose()
    },
  })
  const wrong: Problems = name.trim() === '' ? { name: 'Name the location' } : {}
  const problems = action.problems(wrong)

  function submit() {
    const own = (typed: string, ofPractice: string) => (typed.trim() === ofPractice ? '' : typed)
    const fields = { name, address: own(address, practice.address), phone: own(phone, practice.phone) }
    void action.send({
      wrong,
      fields: { NAME_TAKEN: 'name' },
      call: () =>
        location ? client.practice.changeLocation({ ...fields, id: location.id, isActive }) : client.practice.addLocation(fields),
      done: () => (location ? 'Location saved' : 'Location added'),
    })
  }

  return (
    <ActionDialog
      title={location ? 'Edit location' : 'Add location'}
      action={action}
      problems={problems}
      label={location ? 'Save location' : 'Add location'}
      busyLabel="Saving..."
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name} hint="As staff call it.">
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => action.typed(setName)(target.value)} />
      </Field>
      <Field label="Address" optional hint="As patients read it in email and in their calendars.">
        <Input value={address} maxLength={200} autoComplete="off" onChange={({ target }) => action.typed(setAddress)(target.value)} />
      </Field>
      <Field label="Phone" optional>
        <Input type="tel" value={phone} maxLength={40} autoComplete="off" onChange={({ target }) => action.typed(setPhone)(target.value)} />
      </Field>
      {location && (
        <CheckboxLine checked={isActive} onCheckedChange={setActive} hint="One that is not keeps what took place there.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
