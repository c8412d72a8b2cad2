import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { toGtin } from '../barcode-rules.ts'
import { type Device, deviceLimits, deviceMessages } from '../contract.ts'
import { type DeviceKind, deviceKinds, isImplant, maxQuantity, sides } from '../rules.ts'
import { kindLabels, sideLabels } from './embed/labels.ts'

interface DeviceDialogProps {
  /** Null for a new device. */
  device: Device | null
  /** What the label of a new device says. */
  udiDi?: string | null
  onClose: () => void
  onSaved?: (device: Device) => void
}

/** Adds a device to the catalogue, or changes one. */
export default function DeviceDialog({ device, udiDi = null, onClose, onSaved }: DeviceDialogProps) {
  const cache = useQueryClient()
  // As opened, so that a change by someone else is detected by its version.
  const [before] = useState(device)
  const form = useActionForm({
    initial: {
      maker: before?.maker ?? '',
      model: before?.model ?? '',
      size: before?.size ?? '',
      kind: before?.kind ?? null,
      udiDi: before?.udiDi ?? udiDi ?? '',
      side: before?.side ?? null,
      hasSerials: before?.hasSerials ?? true,
      isSterile: before?.isSterile ?? true,
      minimum: before?.minimum.toString() ?? '',
      isActive: before?.isActive ?? true,
    },
    check: ({ maker, model, kind, udiDi: typed, minimum }) => ({
      maker: maker.trim() === '' ? deviceMessages.maker : undefined,
      model: model.trim() === '' ? deviceMessages.model : undefined,
      kind: kind === null ? deviceMessages.kind : undefined,
      udiDi: typed.trim() !== '' && toGtin(typed) === null ? deviceMessages.udiDi : undefined,
      minimum: /^\d*$/.test(minimum.trim()) && Number(minimum) <= maxQuantity ? undefined : deviceMessages.minimum,
    }),
    refusals: { DEVICE_EXISTS: 'model', UDI_TAKEN: 'udiDi', HAS_STOCK: 'hasSerials' },
    send({ isActive, kind, minimum, ...given }) {
      const fields = { ...given, kind: kind!, minimum: Number(minimum) }
      return before ? client.devices.update({ ...fields, id: before.id, version: before.version, isActive }) : client.devices.create(fields)
    },
    done: (saved) => `${saved.maker} ${saved.model} was ${before ? 'saved' : 'added'}`,
    onDone(saved) {
      void cache.invalidateQueries({ queryKey: orpc.devices.key() })
      onClose()
      onSaved?.(saved)
    },
  })
  const { problems, values } = form
  const chooseKind = (kind: DeviceKind | null) =>
    // Injectables and materials are rarely numbered one by one.
    form.set({ kind, ...(!before && kind && { hasSerials: isImplant(kind) && kind !== 'mesh' }) })
  return (
    <ActionDialog
      title={before ? 'Edit device' : 'Add device'}
      form={form}
      action={{ label: before ? 'Save device' : 'Add device' }}
      onClose={onClose}
    >
      <Field label="Kind" error={problems.kind}>
        <Select
          value={values.kind}
          onValueChange={chooseKind}
          placeholder="Choose a kind"
          options={deviceKinds.map((value) => ({ value, label: kindLabels[value] }))}
        />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="Maker" error={problems.maker}>
          <Input {...form.text('maker')} maxLength={deviceLimits.maker} autoComplete="off" />
        </Field>
        <Field label="Model" error={problems.model}>
          <Input {...form.text('model')} maxLength={deviceLimits.model} autoComplete="off" />
        </Field>
        <Field label="Size" optional error={problems.size}>
          <Input {...form.text('size')} maxLength={deviceLimits.size} autoComplete="off" placeholder="350 cc" />
        </Field>
        <Field label="Made for" error={problems.side}>
          <Select {...form.bind('side')} noneLabel="Either side" options={sides.map((value) => ({ value, label: sideLabels[value] }))} />
        </Field>
        <Field label="UDI-DI" optional error={problems.udiDi} hint="The 14 digits after (01) on the label.">
          <Input {...form.text('udiDi')} maxLength={20} inputMode="numeric" autoComplete="off" />
        </Field>
        <Field label="Minimum in stock" optional error={problems.minimum} hint="Listed as low below it.">
          <Input {...form.text('minimum')} maxLength={6} inputMode="numeric" autoComplete="off" />
        </Field>
      </div>
      {problems.hasSerials && (
        <p role="alert" className="text-sm text-danger-fg">
          {problems.hasSerials}
        </p>
      )}
      <CheckboxLine {...form.tick('hasSerials')} hint="Otherwise, pieces are counted by lot.">
        Each piece has a serial number
      </CheckboxLine>
      <CheckboxLine {...form.tick('isSterile')} hint="Every lot then needs an expiry date.">
        Sterile
      </CheckboxLine>
      {before && (
        <CheckboxLine {...form.tick('isActive')} hint="A retired device is used up and no longer listed as low.">
          Still bought
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
