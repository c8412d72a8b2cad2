import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { client, codeOf, messageOf, orpc } from '../../../web/api.ts'
import { Alert } from '../../../web/ui/Alert.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../web/ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../web/ui/Dialog.tsx'
import { Field } from '../../../web/ui/Field.tsx'
import { Input } from '../../../web/ui/Input.tsx'
import { toast } from '../../../web/ui/toast.ts'
import type { LocationData } from './embed/usePractice.ts'

interface LocationDialogProps {
  /** Null: a new one. */
  location: LocationData | null
  /** What stands in for an empty address and an empty phone: the practice's own. */
  practice: { address: string; phone: string }
  onClose: () => void
}

export default function LocationDialog({ location, practice, onClose }: LocationDialogProps) {
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState(location?.name ?? '')
  const [address, setAddress] = useState(location?.address ?? '')
  const [phone, setPhone] = useState(location?.phone ?? '')
  const [isActive, setActive] = useState(location?.isActive ?? true)
  const [isTried, setTried] = useState(false)
  /** The name that was taken, until another is typed. */
  const [taken, setTaken] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const missing = name.trim() === '' ? 'Name the location' : undefined
  const problem = isTried ? (missing ?? (taken === name ? 'There is a location of this name' : undefined)) : undefined
  const focusFirstProblem = () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  async function submit() {
    setTried(true)
    if (missing) focusFirstProblem()
    if (missing || isBusy) return
    setBusy(true)
    setRefused(null)
    try {
      const fields = { name, address, phone }
      if (location) await client.practice.changeLocation({ ...fields, id: location.id, isActive })
      else await client.practice.addLocation(fields)
      await cache.invalidateQueries({ queryKey: orpc.practice.key() })
      toast.success(location ? 'Location saved' : 'Location added')
      onClose()
    } catch (error) {
      if (codeOf(error) !== 'NAME_TAKEN') {
        setBusy(false)
        return setRefused(messageOf(error))
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
    <Dialog open onOpenChange={onClose} title={location ? 'Edit location' : 'Add location'} dismissible={!isBusy}>
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
            <Alert tone="danger" title="The location was not saved.">
              {refused}
            </Alert>
          )}
          <Field label="Name" error={problem} hint="As staff call it.">
            <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
          </Field>
          <Field label="Address" optional hint={hintOf('As patients read it in mail and in their calendars.', address, practice.address)}>
            <Input value={address} maxLength={200} autoComplete="off" onChange={({ target }) => setAddress(target.value)} />
          </Field>
          <Field label="Phone" optional hint={hintOf('', phone, practice.phone)}>
            <Input type="tel" value={phone} maxLength={40} autoComplete="off" onChange={({ target }) => setPhone(target.value)} />
          </Field>
          {location && (
            <CheckboxLine checked={isActive} onCheckedChange={setActive} hint="One that is not keeps what took place there.">
              In use
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Saving...">
            {location ? 'Save location' : 'Add location'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

const hintOf = (hint: string, typed: string, otherwise: string): string | undefined =>
  [hint, typed.trim() === '' && otherwise && `While empty: ${otherwise}`].filter(Boolean).join(' ') || undefined
