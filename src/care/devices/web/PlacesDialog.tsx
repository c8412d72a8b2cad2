import { useQueryClient } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { deviceLimits, deviceMessages, type StockPlace } from '../contract.ts'
import { usePlaces } from './embed/usePlaces.ts'

/** The places where stock is kept: add, and stop using. */
export default function PlacesDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const { places } = usePlaces()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.devices.key() })
  const [busy, setBusy] = useState<string | null>(null)
  const form = useActionForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? deviceMessages.placeName : undefined }),
    refusals: { NAME_TAKEN: 'name' },
    send: ({ name }) => client.devices.addPlace({ name }),
    done: ({ name }) => `${name} was added`,
    onDone() {
      refresh()
      form.reset({ name: '' })
    },
  })
  async function setActive(place: StockPlace, isActive: boolean) {
    setBusy(place.id)
    try {
      await client.devices.changePlace({ ...place, isActive })
      refresh()
    } catch (error) {
      toast.error(`${place.name} was not changed`, messageOf(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <Dialog title="Places for stock" onClose={onClose}>
      <DialogBody className="flex flex-col gap-4">
        {places.length === 0 ? (
          <EmptyState icon={<MapPin />} title="No places yet" className="py-4">
            Add the cabinets and shelves where implants, injectables and materials are kept.
          </EmptyState>
        ) : (
          <ul aria-label="Places">
            {places.map((place) => (
              <li key={place.id} className="flex min-h-11 items-center gap-3 border-b border-line text-sm">
                <span className={place.isActive ? 'min-w-0 flex-1 truncate text-fg' : 'min-w-0 flex-1 truncate text-fg-3'}>
                  {place.name}
                  {!place.isActive && ' (no longer used)'}
                </span>
                <Button
                  size="sm"
                  variant="quiet"
                  busy={busy === place.id}
                  busyLabel="Saving…"
                  aria-label={`${place.isActive ? 'Stop using' : 'Use'} ${place.name}`}
                  onClick={() => void setActive(place, !place.isActive)}
                >
                  {place.isActive ? 'Stop using' : 'Use again'}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Form form={form} className="flex items-start gap-2">
          <Field label="New place" error={form.problems.name} className="flex-1">
            <Input {...form.text('name')} maxLength={deviceLimits.place} autoComplete="off" placeholder="Implant cabinet" />
          </Field>
          <Button type="submit" className="mt-6.5" busy={form.isBusy} busyLabel="Adding…">
            Add place
          </Button>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
