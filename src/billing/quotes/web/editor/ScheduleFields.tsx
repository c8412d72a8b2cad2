import { Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { centsToText } from '../../../../shared/money.ts'
import { monthsLater } from '../../../../shared/zoned-time.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { quoteLimits } from '../../quote-contract.ts'
import { defaultDepositName, defaultInstalmentName, timingLabel } from '../../rules.ts'
import { LineProblem } from '../embed/LineCells.tsx'
import { type QuoteDraft, tidyAmount } from './quote-draft.ts'
import { newPart, type PartDraft, scheduleOf } from './schedule.ts'

interface ScheduleFieldsProps {
  draft: QuoteDraft
  totalCents: number
  /** A day in the practice's time zone; null: no surgery is booked. */
  surgeryDay: string | null
  today: string
  problems: Readonly<Record<string, string>>
  onChange: (part: Partial<Pick<QuoteDraft, 'deposit' | 'depositName' | 'parts'>>) => void
}

/** Columns: payment, due date, amount, remove. */
const row =
  'grid grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_2.25rem] items-start gap-x-2 gap-y-1.5 border-b border-line py-2 md:grid-cols-[minmax(0,1fr)_10.5rem_9rem_2rem]'

/** The deposit and instalments; the last one gets the rest, so that they always add up. */
export function ScheduleFields({ draft, totalCents, surgeryDay, today, problems, onChange }: ScheduleFieldsProps) {
  const root = useRef<HTMLElement>(null)
  const { deposit, depositName, parts } = draft
  const { restCents, instalments, isTooMuch } = scheduleOf(draft, totalCents)
  const plan = { depositCents: totalCents - restCents, instalments }
  const edit = (key: string, part: Partial<PartDraft>) =>
    onChange({ parts: parts.map((was) => (was.key === key ? { ...was, ...part } : was)) })

  function add() {
    const part = newPart(monthsLater(parts.at(-1)?.dueOn || today, 1))
    flushSync(() => onChange({ parts: [...parts, part] }))
    root.current?.querySelector<HTMLElement>(`[data-part="${part.key}"] input:not([data-name])`)?.focus()
  }

  return (
    <section ref={root} aria-labelledby="payment-schedule">
      <h3 id="payment-schedule" className="text-title font-semibold text-fg">
        Payment schedule
      </h3>
      <p className="border-b border-line pb-2 text-sm text-fg-2">
        {surgeryDay === null
          ? 'The last instalment takes the rest.'
          : 'What is due before surgery has to be paid for the case to be cleared. The last instalment takes the rest.'}
      </p>
      <div className={row}>
        <PaymentName
          label="Name of the deposit"
          name={depositName}
          defaultName={defaultDepositName}
          onChange={(next) => onChange({ depositName: next })}
        />
        <span className="flex min-h-11 items-center text-sm text-fg-2 md:min-h-9">On acceptance</span>
        <Field label="Deposit, due on acceptance" hideLabel error={problems.deposit} className="max-md:col-span-2 md:col-span-1">
          <MoneyInput
            value={deposit}
            placeholder="0.00"
            onValueChange={(next) => onChange({ deposit: next })}
            onBlur={() => deposit !== tidyAmount(deposit) && onChange({ deposit: tidyAmount(deposit) })}
            className="[&>input]:text-right"
          />
        </Field>
      </div>
      {restCents > 0 &&
        parts.map(({ key, dueOn, amount, name }, index) => {
          const isLast = index === parts.length - 1
          const place = index + 1
          return (
            <div key={key} data-part={key} className={row}>
              <PaymentName
                label={`Name of instalment ${place}`}
                name={name}
                defaultName={defaultInstalmentName(plan, index)}
                timing={timingLabel(dueOn, surgeryDay)}
                onChange={(next) => edit(key, { name: next })}
              />
              <Field label={`Day of instalment ${place}`} hideLabel error={problems[`day ${key}`]}>
                <DateInput value={dueOn} min={today} onValueChange={(next) => edit(key, { dueOn: next })} />
              </Field>
              {isLast ? (
                <output
                  aria-label={`Amount of instalment ${place}`}
                  className="flex min-h-11 items-center justify-end pr-2.5 text-md tabular-nums md:min-h-9"
                >
                  {formatMoney(Math.max(0, instalments[index]!.amountCents))}
                </output>
              ) : (
                <Field label={`Amount of instalment ${place}`} hideLabel error={problems[`amount ${key}`]}>
                  <MoneyInput
                    value={amount}
                    placeholder={isTooMuch ? undefined : centsToText(instalments[index]!.amountCents)}
                    onValueChange={(next) => edit(key, { amount: next })}
                    onBlur={() => amount !== tidyAmount(amount) && edit(key, { amount: tidyAmount(amount) })}
                    className="[&>input]:text-right"
                  />
                </Field>
              )}
              {parts.length > 1 && (
                <IconButton
                  label={`Remove instalment ${place}`}
                  icon={<Trash2 />}
                  tooltipSide="left"
                  className="md:mt-0.5"
                  onClick={() => onChange({ parts: parts.filter((part) => part.key !== key) })}
                />
              )}
            </div>
          )
        })}
      {problems.plan && <LineProblem>{problems.plan}</LineProblem>}
      <div className="flex flex-wrap items-center gap-2 pt-2">
        {restCents > 0 && parts.length < quoteLimits.instalments && (
          <Button icon={<Plus />} variant="quiet" onClick={add}>
            Add instalment
          </Button>
        )}
        {totalCents > 0 && restCents >= 0 && !isTooMuch && (
          <span className="ml-auto text-sm text-success-fg">{restCents === 0 ? 'Paid in full on acceptance' : 'Adds up to the total'}</span>
        )}
      </div>
    </section>
  )
}

interface PaymentNameProps {
  label: string
  /** Empty: the default. */
  name: string
  defaultName: string
  /** 'before surgery'; null: no surgery is booked. */
  timing?: string | null
  onChange: (name: string) => void
}

/** A payment's name. It starts as the default name, which is restored if the field is left empty. */
function PaymentName({ label, name, defaultName, timing, onChange }: PaymentNameProps) {
  const [isCleared, setCleared] = useState(false)
  return (
    <div className="max-md:col-span-3">
      <Input
        aria-label={label}
        data-name
        value={isCleared ? '' : name || defaultName}
        maxLength={quoteLimits.paymentName}
        autoComplete="off"
        onChange={({ target }) => {
          setCleared(target.value === '')
          onChange(target.value === defaultName ? '' : target.value)
        }}
        onBlur={() => setCleared(false)}
      />
      {timing && <p className="pt-1 text-xs text-fg-3">{`${timing.charAt(0).toUpperCase()}${timing.slice(1)}`}</p>}
    </div>
  )
}
