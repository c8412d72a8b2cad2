import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { formatDay, today } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { readLabel } from '../../devices/barcode-rules.ts'
import { type Device, deviceMessages } from '../../devices/contract.ts'
import { deviceName, type Side } from '../../devices/rules.ts'
import { DeviceField } from '../../devices/web/embed/DeviceField.tsx'
import { labelProblems } from '../../devices/web/embed/label-problems.ts'
import { formatPieces } from '../../devices/web/embed/labels.ts'
import { ScanField } from '../../devices/web/embed/ScanField.tsx'
import { useRefreshImplants } from './useImplants.ts'

/** Opens devices for a surgery. Each scan takes one piece out of stock at once, or says why it must not be used. */
export default function OpenDialog({ surgeryId, onClose }: { surgeryId: string; onClose: () => void }) {
  const clock = useClock()
  const refresh = useRefreshImplants()
  const [side, setSide] = useState<Side | 'none'>('none')
  const [problem, setProblem] = useState<string | null>(null)
  const [device, setDevice] = useState<Device | null>(null)
  const given = { id: surgeryId, side: side === 'none' ? null : side }

  async function scanned(text: string): Promise<void> {
    setProblem(null)
    const { label, problem: unread } = readLabel(text, today(clock))
    if (unread) return setProblem(labelProblems[unread])
    if (label.gtin === null || label.lot === null) return setProblem('The label has no device or no lot. Choose the device below.')
    try {
      const { gtin: udiDi, lot, serial, expiresOn } = label
      const { devices } = await client.implants.open({ ...given, udiDi, lot, serial, expiresOn })
      const opened = devices.at(-1)
      if (opened) toast.success(`${deviceName(opened.device)} was opened`)
      refresh()
    } catch (error) {
      setProblem(messageOf(error))
    }
  }

  const stock = useQuery(orpc.devices.get.queryOptions({ input: { id: device?.id ?? '' }, enabled: device !== null })).data
  const pieces = (stock?.lots ?? []).flatMap(({ lot, expiresOn, pieces: ofLot }) =>
    ofLot.map(({ serial, placeId, quantity }) => ({
      value: JSON.stringify([lot, serial, placeId]),
      label: [
        serial === null ? `Lot ${lot} (${formatPieces(quantity)})` : `Serial ${serial}, lot ${lot}`,
        expiresOn && formatDay(expiresOn),
      ]
        .filter(Boolean)
        .join(', '),
    })),
  )
  const form = useActionForm({
    initial: { piece: null as string | null, quantity: '1' },
    check: ({ piece, quantity }) => ({
      device: device === null ? 'Choose a device' : undefined,
      lot: device !== null && piece === null ? 'Choose a lot or a serial number' : undefined,
      quantity: /^[1-9]\d*$/.test(quantity.trim()) ? undefined : deviceMessages.quantity,
    }),
    send({ piece, quantity }) {
      const [lot, serial] = JSON.parse(piece!) as [string, string | null]
      return client.implants.open({ ...given, deviceId: device!.id, lot, serial, quantity: Number(quantity) })
    },
    done: () => `${deviceName(device!)} was opened`,
    onDone() {
      refresh()
      onClose()
    },
  })
  const { problems } = form
  return (
    <ActionDialog
      title="Open devices"
      form={form}
      action={{ label: 'Open device', busyLabel: 'Opening…' }}
      footer={{ cancel: { label: 'Close' } }}
      onClose={onClose}
    >
      <Field label="For">
        <SegmentedControl
          value={side}
          onValueChange={setSide}
          options={[
            { value: 'none', label: 'No side' },
            { value: 'left', label: 'Left' },
            { value: 'right', label: 'Right' },
          ]}
        />
      </Field>
      <ScanField label="Label" hint="Each scan opens one piece for this surgery." onScan={(text) => void scanned(text)} />
      {problem && <Alert tone="danger">{problem}</Alert>}
      <Disclosure summary="No label to scan">
        <div className="flex flex-col gap-4 pt-2">
          <DeviceField
            device={device}
            error={problems.device}
            onChoose={(chosen) => {
              setDevice(chosen)
              form.set({ piece: null })
            }}
          />
          <Field label="Lot or serial number" error={problems.lot}>
            <Select
              {...form.bind('piece')}
              placeholder={device === null ? 'Choose a device first' : pieces.length === 0 ? 'Nothing in stock' : 'Choose from stock'}
              options={pieces}
            />
          </Field>
          {device && !device.hasSerials && (
            <Field label="Pieces" error={problems.quantity}>
              <Input {...form.text('quantity')} inputMode="numeric" maxLength={5} autoComplete="off" />
            </Field>
          )}
        </div>
      </Disclosure>
    </ActionDialog>
  )
}
