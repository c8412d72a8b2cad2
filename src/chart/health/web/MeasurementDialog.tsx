import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { asaClasses, bloodTypes } from '../rules.ts'
import type { HealthData } from './health-data.ts'
import { asaLabels, formatBloodType } from './labels.ts'
import { blankMeasurement, measurementProblems, toMeasurement } from './measurement-values.ts'

interface MeasurementDialogProps {
  contactId: string
  onSaved: (health: HealthData) => void
  onClose: () => void
}

/** Records what was measured on a day. Only what was measured is filled in. */
export default function MeasurementDialog({ contactId, onSaved, onClose }: MeasurementDialogProps) {
  const clock = useClock()
  const form = useActionForm({
    initial: () => blankMeasurement(today(clock)),
    check: measurementProblems,
    send: (values) => client.health.addMeasurement({ contactId, ...toMeasurement(values) }),
    done: 'Measurement added',
    onDone(health) {
      onSaved(health)
      onClose()
    },
  })
  const { problems } = form
  return (
    <ActionDialog title="Add measurement" form={form} action={{ label: 'Add measurement', busyLabel: 'Adding…' }} onClose={onClose}>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Height" optional error={problems.heightCm}>
          <Input {...form.text('heightCm')} inputMode="numeric" maxLength={3} trailing="cm" autoComplete="off" />
        </Field>
        <Field label="Weight" optional error={problems.weightKg}>
          <Input {...form.text('weightKg')} inputMode="decimal" maxLength={5} trailing="kg" autoComplete="off" />
        </Field>
        <Field label="Systolic" optional error={problems.systolic}>
          <Input {...form.text('systolic')} inputMode="numeric" maxLength={3} trailing="mmHg" autoComplete="off" />
        </Field>
        <Field label="Diastolic" optional error={problems.diastolic}>
          <Input {...form.text('diastolic')} inputMode="numeric" maxLength={3} trailing="mmHg" autoComplete="off" />
        </Field>
        <Field label="Blood type" optional error={problems.bloodType}>
          <Select
            {...form.bind('bloodType')}
            noneLabel="Not tested"
            options={bloodTypes.map((value) => ({ value, label: formatBloodType(value) }))}
          />
        </Field>
        <Field label="ASA class" optional error={problems.asaClass}>
          <Select
            {...form.bind('asaClass')}
            noneLabel="Not assessed"
            options={asaClasses.map((value) => ({ value: String(value), label: asaLabels[value]! }))}
          />
        </Field>
        <Field label="Measured on" error={problems.measuredOn} className="col-span-2">
          <DateInput {...form.bind('measuredOn')} max={today(clock)} />
        </Field>
      </div>
    </ActionDialog>
  )
}
