import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { TimeInput } from '../../../../ui/controls/DateInput.tsx'
import { RadioGroup } from '../../../../ui/controls/RadioGroup.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { type Definition, limits } from '../../definition-contract.ts'
import { NumberField } from './fields.tsx'

interface RulesDrawerProps {
  definition: Definition
  problem: string | undefined
  onChange: (definition: Definition) => void
  onClose: () => void
  /** What gets the focus on close. */
  returnTo: () => HTMLElement | null
}

/** When messages leave, what ends the sequence for a patient, and how it is measured and watched. */
export function RulesDrawer({ definition, problem, onChange, onClose, returnTo }: RulesDrawerProps) {
  const { exits, hours, again, holdOut, alertDays } = definition
  const set = (part: Partial<Definition>) => onChange({ ...definition, ...part })
  const setExit = (part: Partial<Definition['exits']>) => set({ exits: { ...exits, ...part } })
  return (
    <SideDrawer
      title="Hours and exits"
      onClose={onClose}
      returnTo={returnTo}
      footer={
        <Button className="ml-auto" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        {problem && <Alert tone="danger">{problem}</Alert>}
        <fieldset>
          <legend className="pb-1.5 text-sm font-semibold text-fg">Messages are sent</legend>
          <div className="grid grid-cols-2 gap-3">
            <Field label="From">
              <TimeInput value={hours.from} onValueChange={(from) => from !== '' && set({ hours: { ...hours, from } })} />
            </Field>
            <Field label="To">
              <TimeInput value={hours.to} onValueChange={(to) => to !== '' && set({ hours: { ...hours, to } })} />
            </Field>
          </div>
          <p className="pt-1.5 text-sm text-fg-3">
            In the patient’s time. What is due at another time waits until these hours begin. Texts also wait for the end of the practice’s
            quiet hours.
          </p>
        </fieldset>
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1.5 text-sm font-semibold text-fg">When the patient replies</legend>
          <RadioGroup
            aria-label="When the patient replies"
            value={exits.reply}
            onValueChange={(reply) => setExit({ reply })}
            options={[
              { value: 'leave', label: 'The patient leaves the sequence' },
              { value: 'pause', label: 'It pauses until staff resume it' },
              { value: 'continue', label: 'It goes on' },
            ]}
          />
        </fieldset>
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1.5 text-sm font-semibold text-fg">It also ends when</legend>
          <CheckboxLine checked={exits.booking} onCheckedChange={(booking) => setExit({ booking })}>
            The patient books an appointment
          </CheckboxLine>
          <CheckboxLine checked={exits.surgery} onCheckedChange={(surgery) => setExit({ surgery })}>
            Surgery is booked
          </CheckboxLine>
          <CheckboxLine checked={exits.stage} onCheckedChange={(stage) => setExit({ stage })}>
            The patient moves to another stage
          </CheckboxLine>
          <p className="text-sm text-fg-3">It always ends when the patient asks to stop, unsubscribes or complains.</p>
        </fieldset>
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1.5 text-sm font-semibold text-fg">Once or again</legend>
          <CheckboxLine checked={again !== null} onCheckedChange={(isAgain) => set({ again: isAgain ? 90 : null })}>
            A patient may go through it again
          </CheckboxLine>
          {again !== null && (
            <NumberField
              label="At least this long after the last time"
              unit="days"
              min={1}
              max={limits.days}
              value={again}
              onChange={(days) => set({ again: days })}
            />
          )}
        </fieldset>
        <NumberField
          label="Comparison group"
          unit="%"
          max={50}
          value={holdOut}
          hint="Of the patients who would enter, this share receives nothing. Comparing both shows what the sequence adds. 0 compares with no one."
          onChange={(percent) => set({ holdOut: Number.isNaN(percent) ? 0 : percent })}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1.5 text-sm font-semibold text-fg">Watching</legend>
          <CheckboxLine checked={alertDays !== null} onCheckedChange={(isOn) => set({ alertDays: isOn ? 7 : null })}>
            Notify administrators if no one enters
          </CheckboxLine>
          {alertDays !== null && (
            <NumberField
              label="For this long"
              unit="days"
              min={1}
              max={limits.days}
              value={alertDays}
              onChange={(days) => set({ alertDays: days })}
            />
          )}
        </fieldset>
      </div>
    </SideDrawer>
  )
}
