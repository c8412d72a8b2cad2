import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { today } from '../../../ui/format.ts'
import { deviceName } from '../../devices/rules.ts'
import { implantLimits, implantMessages } from '../contract.ts'
import { type ExplantFate, explantFates } from '../rules.ts'
import type { SurgeryDeviceData } from './implant-data.ts'
import { fateLabels, formatPiece } from './labels.ts'
import { useRefreshImplants } from './useImplants.ts'

interface ExplantDialogProps {
  implant: SurgeryDeviceData
  /** The surgery in which it is taken out; null on the patient's chart. */
  surgeryId: string | null
  onClose: () => void
}

/** Records that an implant was taken out, why, and what happened to it. */
export default function ExplantDialog({ implant, surgeryId, onClose }: ExplantDialogProps) {
  const clock = useClock()
  const refresh = useRefreshImplants()
  const form = useActionForm({
    initial: { explantedOn: today(clock), reason: '', fate: null as ExplantFate | null },
    check: ({ explantedOn, reason, fate }) => ({
      explantedOn: explantedOn === '' ? 'Enter a date' : undefined,
      reason: reason.trim() === '' ? implantMessages.reason : undefined,
      fate: fate === null ? implantMessages.fate : undefined,
    }),
    send: ({ explantedOn, reason, fate }) =>
      client.implants.explant({ id: implant.id, version: implant.version, surgeryId, explantedOn, reason, fate: fate! }),
    done: 'Implant recorded as taken out',
    onDone() {
      refresh()
      onClose()
    },
  })
  const { problems } = form
  return (
    <ActionDialog
      title="Record explant"
      description={`${deviceName(implant.device)}. ${formatPiece(implant)}`}
      form={form}
      action={{ label: 'Record explant' }}
      onClose={onClose}
    >
      <Field label="Taken out on" error={problems.explantedOn ?? problems.surgeryId}>
        <DateInput {...form.bind('explantedOn')} max={today(clock)} />
      </Field>
      <Field label="Reason" error={problems.reason}>
        <Input {...form.text('reason')} maxLength={implantLimits.reason} autoComplete="off" placeholder="Rupture" />
      </Field>
      <Field label="What happened to it" error={problems.fate}>
        <Select {...form.bind('fate')} placeholder="Choose" options={explantFates.map((value) => ({ value, label: fateLabels[value] }))} />
      </Field>
    </ActionDialog>
  )
}
