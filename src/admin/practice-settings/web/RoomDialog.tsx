import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { ActionDialog, type Problems } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/useAction.ts'
import { type RoomKind, roomKinds } from '../../../platform/practice/rules.ts'
import { type RoomData, useLocations } from '../../../platform/practice/web/embed/usePractice.ts'
import { kindLabels } from '../../../platform/practice/web/embed/labels.ts'

interface RoomDialogProps {
  /** Null: a new one. */
  room: RoomData | null
  onClose: () => void
}

export default function RoomDialog({ room, onClose }: RoomDialogProps) {
  const cache = useQueryClient()
  const [name, setName] = useState(room?.name ?? '')
  const [kind, setKind] = useState<RoomKind>(room?.kind ?? 'consult')
  const locations = useLocations().data ?? []
  const [chosen, setLocationId] = useState<string | null>(null)
  const locationId = chosen ?? room?.locationId ?? locations[0]?.id
  // Of one location no one has to be told.
  const choices = locations.filter(({ id, isActive: isUsed }) => isUsed || id === room?.locationId)
  const [isActive, setActive] = useState(room?.isActive ?? true)
  const action = useAction({
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.practice.rooms.key() })
      onClose()
    },
  })
  const wrong: Problems = name.trim() === '' ? { name: 'Name the room' } : {}
  const problems = action.problems(wrong)

  function submit() {
    const fields = { name, kind, ...(locationId && { locationId }) }
    void action.send({
      wrong,
      fields: { NAME_TAKEN: 'name' },
      call: () => (room ? client.practice.changeRoom({ ...fields, id: room.id, isActive }) : client.practice.addRoom(fields)),
      done: () => (room ? 'Room saved' : 'Room added'),
    })
  }

  return (
    <ActionDialog
      title={room ? 'Edit room' : 'Add room'}
      action={action}
      problems={problems}
      label={room ? 'Save room' : 'Add room'}
      busyLabel="Saving..."
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => action.typed(setName)(target.value)} />
      </Field>
      <Field label="Used for">
        <Select
          value={kind}
          onValueChange={(next) => next && setKind(next)}
          options={roomKinds.map((value) => ({ value, label: kindLabels[value] }))}
        />
      </Field>
      {(choices.length > 1 || problems.locationId) && (
        <Field label="Location" error={problems.locationId}>
          <Select
            value={locationId ?? null}
            onValueChange={(next) => next && action.typed(setLocationId)(next)}
            options={choices.map(({ id, name: label }) => ({ value: id, label }))}
          />
        </Field>
      )}
      {room && (
        <CheckboxLine checked={isActive} onCheckedChange={setActive} hint="One that is not keeps what took place in it.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
