import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { today } from '../../../ui/format.ts'
import { type Label, readLabel } from '../barcode-rules.ts'
import { type Device, deviceLimits, deviceMessages } from '../contract.ts'
import { deviceName, maxQuantity, maxSerials } from '../rules.ts'
import DeviceDialog from './DeviceDialog.tsx'
import { DeviceField } from './embed/DeviceField.tsx'
import { ScanField } from './embed/ScanField.tsx'
import { labelProblems } from './embed/label-problems.ts'
import { formatPieces } from './embed/labels.ts'
import { usePlaces } from './embed/usePlaces.ts'

interface ReceiveDialogProps {
  /** Null if the scan or the person chooses it. */
  device: Device | null
  onClose: () => void
}

const serialsOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** Receives pieces of one lot. A scan of the label fills in device, lot, expiry and serial number; the next scan of the lot adds one. */
export default function ReceiveDialog({ device: given, onClose }: ReceiveDialogProps) {
  const cache = useQueryClient()
  const clock = useClock()
  const may = usePermission()
  const { active: places } = usePlaces()
  const [device, setDevice] = useState(given)
  const [problem, setProblem] = useState<string | null>(null)
  /** The UDI-DI of a label whose device is not in the catalogue yet. */
  const [unknown, setUnknown] = useState<string | null>(null)
  const [isAdding, setAdding] = useState(false)
  const form = useActionForm({
    initial: { placeId: null as string | null, lot: '', expiresOn: '', madeOn: '', serials: '', quantity: '' },
    check: ({ placeId, lot, expiresOn, serials, quantity }) => ({
      device: device ? undefined : 'Scan a label or choose a device',
      placeId: (placeId ?? places[0]?.id) ? undefined : deviceMessages.place,
      lot: lot.trim() === '' ? deviceMessages.lot : undefined,
      expiresOn: device?.isSterile && expiresOn === '' ? deviceMessages.expiry : undefined,
      serials: device?.hasSerials && !isCount(serialsOf(serials).length, maxSerials) ? deviceMessages.serials : undefined,
      quantity: device && !device.hasSerials && !isCount(Number(quantity || NaN), maxQuantity) ? deviceMessages.quantity : undefined,
    }),
    refusals: { SERIAL_IN_STOCK: 'serials', ALREADY_USED: 'serials' },
    send: ({ placeId, lot, expiresOn, madeOn, serials, quantity }) =>
      client.devices.receive({
        id: device!.id,
        placeId: placeId ?? places[0]!.id,
        lot: lot.trim(),
        expiresOn: expiresOn || null,
        madeOn: madeOn || null,
        ...(device!.hasSerials ? { serials: serialsOf(serials) } : { quantity: Number(quantity) }),
      }),
    done: (saved, { serials, quantity }) =>
      `${formatPieces(saved.hasSerials ? serialsOf(serials).length : Number(quantity))} of ${deviceName(saved)} received`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.devices.key() })
      onClose()
    },
  })
  const { problems, values } = form

  async function scanned(text: string): Promise<void> {
    setProblem(null)
    setUnknown(null)
    const { label, problem: unread } = readLabel(text, today(clock))
    if (unread) return setProblem(labelProblems[unread])
    const found = await deviceOf(label, device)
    if (found === null) {
      setUnknown(label.gtin)
      return setProblem('The catalogue does not have this device yet.')
    }
    if (label.expiresOn !== null && label.expiresOn < today(clock)) return setProblem(deviceMessages.expired)
    if (device && values.lot !== '' && (found.id !== device.id || (label.lot ?? values.lot) !== values.lot))
      return setProblem('This is another device or lot. Receive this one first.')
    setDevice(found)
    fill(found, label)
  }

  function fill(found: Device, { lot, expiresOn, madeOn, serial }: Label): void {
    const serials = serialsOf(values.serials)
    form.set({
      lot: lot ?? values.lot,
      expiresOn: expiresOn ?? values.expiresOn,
      madeOn: madeOn ?? values.madeOn,
      ...(found.hasSerials
        ? { serials: [...serials, ...(serial && !serials.includes(serial) ? [serial] : [])].join('\n') }
        : { quantity: String(Number(values.quantity || 0) + 1) }),
    })
  }

  if (isAdding)
    return (
      <DeviceDialog
        device={null}
        udiDi={unknown}
        onClose={() => setAdding(false)}
        onSaved={(added) => {
          setProblem(null)
          setDevice(added)
        }}
      />
    )
  return (
    <ActionDialog title="Receive stock" form={form} action={{ label: 'Receive stock', busyLabel: 'Receiving…' }} onClose={onClose}>
      <ScanField
        label="Label"
        hint="Scan the code on the package, or type it."
        onScan={(text) => void scanned(text).catch((error: unknown) => setProblem(messageOf(error)))}
      />
      {problem && (
        <Alert tone="danger">
          {problem}
          {unknown !== null && may('devices.create') && (
            <Button size="sm" className="ml-2" onClick={() => setAdding(true)}>
              Add device
            </Button>
          )}
        </Alert>
      )}
      <DeviceField device={device} error={problems.device} onChoose={setDevice} isFixed={given !== null} />
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="Lot" error={problems.lot}>
          <Input {...form.text('lot')} maxLength={deviceLimits.lot} autoComplete="off" />
        </Field>
        <Field label="Place" error={problems.placeId}>
          <Select
            value={values.placeId ?? places[0]?.id ?? null}
            onValueChange={(placeId) => form.set({ placeId })}
            placeholder={places.length === 0 ? 'No places yet' : 'Choose a place'}
            options={places.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        <Field label="Expires" optional={device?.isSterile === false} error={problems.expiresOn}>
          <DateInput {...form.bind('expiresOn')} />
        </Field>
        <Field label="Made" optional error={problems.madeOn}>
          <DateInput {...form.bind('madeOn')} />
        </Field>
      </div>
      {device && !device.hasSerials ? (
        <Field label="Pieces" error={problems.quantity}>
          <Input {...form.text('quantity')} inputMode="numeric" maxLength={5} autoComplete="off" />
        </Field>
      ) : (
        <Field label="Serial numbers" error={problems.serials} hint="One on each line.">
          <Textarea {...form.text('serials')} rows={3} maxLength={maxSerials * (deviceLimits.serial + 1)} autoComplete="off" />
        </Field>
      )}
    </ActionDialog>
  )
}

const isCount = (count: number, most: number): boolean => Number.isInteger(count) && count >= 1 && count <= most

/** The device of a label in the catalogue; `chosen` for a label without UDI-DI. */
async function deviceOf({ gtin }: Label, chosen: Device | null): Promise<Device | null> {
  if (gtin === null) return chosen
  const { data } = await client.devices.list({ search: gtin, limit: 2 })
  return data.find(({ udiDi }) => udiDi === gtin) ?? null
}
