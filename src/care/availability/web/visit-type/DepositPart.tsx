import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { type DepositKind, depositKinds } from '../../terms-rules.ts'
import { depositLabels } from '../availability-labels.ts'
import { NumberInput } from './controls.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

const depositHints: Record<DepositKind, string> = {
  none: 'Patients book without paying. There are no fees.',
  amount: 'Paid when booking. Given back if cancelled in time.',
  percent: 'Paid when booking. Given back if cancelled in time.',
  card: 'Nothing is paid when booking, but fees can be charged.',
}

/** The price that patients read, what they leave when they book the visit themselves, and the fees that they agree to. */
export function DepositPart({ form }: { form: VisitTypeForm }) {
  const { problems, values } = form
  const { depositKind } = values
  return (
    <>
      <p className="max-w-[60ch] text-sm text-fg-2">
        {values.isOnline
          ? 'For patients who book the visit themselves, or accept an offer from the waiting list.'
          : 'Only visits that patients may book themselves have a deposit. Turn that on under Online booking.'}
      </p>
      <div className="grid items-start gap-x-3 gap-y-4 md:grid-cols-2">
        <Field
          label="Displayed price"
          optional={depositKind !== 'percent'}
          error={problems.priceCents}
          className="md:col-span-2 md:w-1/2 md:pr-1.5"
        >
          <MoneyInput {...form.bind('priceCents')} />
        </Field>
        <Field label="Deposit" error={problems.depositKind} hint={depositHints[depositKind]}>
          <Select {...form.choice('depositKind')} options={depositKinds.map((value) => ({ value, label: depositLabels[value] }))} />
        </Field>
        {depositKind === 'amount' && (
          <Field label="Deposit amount" error={problems.depositCents}>
            <MoneyInput {...form.bind('depositCents')} />
          </Field>
        )}
        {depositKind === 'percent' && (
          <Field label="Deposit amount" error={problems.depositPercent}>
            <NumberInput form={form} name="depositPercent" unit="% of the price" />
          </Field>
        )}
      </div>
      {depositKind !== 'none' && (
        <>
          <div className="grid items-start gap-x-3 gap-y-4 md:grid-cols-2">
            <Field
              label="Late cancellation fee"
              optional
              error={problems.lateFeeCents}
              hint={`For cancelling less than ${values.changeHours || 0} hours before. Patients see it first.`}
            >
              <MoneyInput {...form.bind('lateFeeCents')} />
            </Field>
            <Field label="No-show fee" optional error={problems.noShowFeeCents}>
              <MoneyInput {...form.bind('noShowFeeCents')} />
            </Field>
          </div>
          <p className="max-w-[60ch] text-sm text-fg-2">
            Patients who cancel late online are charged at once. When staff cancel late for them, or they miss the visit, staff decide
            whether to charge.
          </p>
          <CheckboxLine
            {...form.tick('isDepositFirstOnly')}
            hint="Patients who have been here before pay no deposit, and there are no fees."
          >
            First visit only
          </CheckboxLine>
        </>
      )}
    </>
  )
}
