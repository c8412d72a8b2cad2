import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { roomKinds } from '../../../platform/practice/rules.ts'
import { type RoomData, useLocations } from '../../../platform/practice/web/embed/usePractice.ts'
import { kindLabels } from '../../../platform/practice/web/embed/labels.ts'

interface RoomDialogProps {
  /** Null to add one. */
  room: RoomData | null
  onClose: () => void
}

export default function RoomDialog({ room, onClose }: RoomDialogProps) {
  const cache = useQueryClient()
  const locations = useLocations().data ?? []
  // A single location needs no choice.
  const choices = locations.filter(({ id, isActive }) => isActive || id === room?.locationId)
  const form = useActionForm({
    initial: {
      name: room?.name ?? '',
      kind: room?.kind ?? 'consult',
      locationId: room?.locationId ?? null,
      isActive: room?.isActive ?? true,
    },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Name the room' : undefined }),
    refusals: { NAME_TAKEN: 'name' },
    async send({ name, kind, locationId: chosen, isActive }) {
      const locationId = chosen ?? locations[0]?.id
      const fields = { name, kind, ...(locationId && { locationId }) }
      if (room) await client.practice.changeRoom({ ...fields, id: room.id, isActive })
      else await client.practice.addRoom(fields)
    },
    done: room ? 'Room saved' : 'Room added',
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.practice.rooms.key() })
      onClose()
    },
  })
  const { problems } = form

  return (
    <ActionDialog title={room ? 'Edit room' : 'Add room'} form={form} action={{ label: room ? 'Save room' : 'Add room' }} onClose={onClose}>
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={80} autoComplete="off" />
      </Field>
      <Field label="Used for">
        <Select {...form.choice('kind')} options={roomKinds.map((value) => ({ value, label: kindLabels[value] }))} />
      </Field>
      {(choices.length > 1 || problems.locationId) && (
        <Field label="Location" error={problems.locationId}>
          <Select
            {...form.choice('locationId')}
            value={form.values.locationId ?? locations[0]?.id ?? null}
            options={choices.map(({ id, name: label }) => ({ value: id, label }))}
          />
        </Field>
      )}
      {room && (
        <CheckboxLine {...form.tick('isActive')} hint="Inactive rooms keep their past appointments.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
