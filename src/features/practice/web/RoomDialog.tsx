import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { client, codeOf, messageOf, orpc } from '../../../web/api.ts'
import { fieldErrorsOf } from '../../../web/form-errors.ts'
import { Alert } from '../../../web/ui/Alert.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../web/ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../web/ui/Dialog.tsx'
import { Field } from '../../../web/ui/Field.tsx'
import { Input } from '../../../web/ui/Input.tsx'
import { Select } from '../../../web/ui/Select.tsx'
import { toast } from '../../../web/ui/toast.ts'
import { type RoomKind, roomKinds } from '../rules.ts'
import { type RoomData, useLocations } from './embed/usePractice.ts'
import { kindLabels } from './words.ts'

interface RoomDialogProps {
  /** Null: a new one. */
  room: RoomData | null
  onClose: () => void
}

export default function RoomDialog({ room, onClose }: RoomDialogProps) {
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState(room?.name ?? '')
  const [kind, setKind] = useState<RoomKind>(room?.kind ?? 'consult')
  const locations = useLocations().data ?? []
  const [chosen, setLocationId] = useState<string | null>(null)
  const locationId = chosen ?? room?.locationId ?? locations[0]?.id
  // Of one location nobody has to be told.
  const choices = locations.filter(({ id, isActive: isUsed }) => isUsed || id === room?.locationId)
  const [isActive, setActive] = useState(room?.isActive ?? true)
  const [isTried, setTried] = useState(false)
  /** The name that was taken, until another is typed. */
  const [taken, setTaken] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const missing = name.trim() === '' ? 'Name the room' : undefined
  const problem = isTried ? (missing ?? (taken === name ? 'There is a room of this name' : undefined)) : undefined
  const focusFirstProblem = () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  async function submit() {
    setTried(true)
    if (missing) focusFirstProblem()
    if (missing || isBusy) return
    setBusy(true)
    setRefused(null)
    try {
      const fields = { name, kind, ...(locationId && { locationId }) }
      if (room) await client.practice.changeRoom({ ...fields, id: room.id, isActive })
      else await client.practice.addRoom(fields)
      await cache.invalidateQueries({ queryKey: orpc.practice.rooms.key() })
      toast.success(room ? 'Room saved' : 'Room added')
      onClose()
    } catch (error) {
      if (codeOf(error) !== 'NAME_TAKEN') {
        setBusy(false)
        return setRefused(Object.values(fieldErrorsOf(error))[0] ?? messageOf(error))
      }
      // Drawn at once: what is to have the focus is found by what it looks like.
      flushSync(() => {
        setBusy(false)
        setTaken(name)
      })
      focusFirstProblem()
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={room ? 'Edit room' : 'Add room'} dismissible={!isBusy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {refused && (
            <Alert tone="danger" title="The room was not saved.">
              {refused}
            </Alert>
          )}
          <Field label="Name" error={problem}>
            <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
          </Field>
          <Field label="Used for">
            <Select
              value={kind}
              onValueChange={(next) => next && setKind(next)}
              options={roomKinds.map((value) => ({ value, label: kindLabels[value] }))}
            />
          </Field>
          {choices.length > 1 && (
            <Field label="Location">
              <Select
                value={locationId ?? null}
                onValueChange={(next) => next && setLocationId(next)}
                options={choices.map(({ id, name: label }) => ({ value: id, label }))}
              />
            </Field>
          )}
          {room && (
            <CheckboxLine checked={isActive} onCheckedChange={setActive} hint="One that is not keeps what took place in it.">
              In use
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Saving...">
            {room ? 'Save room' : 'Add room'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
