import { CircleAlert, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { Totals } from '../../../pos/rules.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { formatMoney } from '../../../../web/ui/format.ts'
import { IconButton } from '../../../../web/ui/IconButton.tsx'
import { Input } from '../../../../web/ui/Input.tsx'
import { MoneyInput } from '../../../../web/ui/MoneyInput.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { quoteLimits } from '../../contract.ts'
import { kindLabels, lineKinds } from '../../rules.ts'
import { emptyLine, isExempt, type LineDraft } from './quote-draft.ts'

/** Kind, words, quantity, price, tax, amount, remove: the columns that the lines share with their head. */
const grid = 'md:grid md:grid-cols-[8rem_minmax(0,1fr)_4.5rem_7.5rem_8rem_6rem_2rem] md:gap-x-3'

interface QuoteLinesProps {
  lines: readonly LineDraft[]
  codes: readonly PosTaxCode[]
  /** What a new line is taxed at. */
  usualCode: string
  totals: Totals
  problems: Readonly<Record<string, string>>
  onChange: (lines: readonly LineDraft[]) => void
}

/** What is quoted, a line each; on a phone a block each. */
export function QuoteLines({ lines, codes, usualCode, totals, problems, onChange }: QuoteLinesProps) {
  const root = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus()

  function add() {
    const line = emptyLine(lines.at(-1)?.kind ?? 'surgeon', usualCode)
    flushSync(() => onChange([...lines, line]))
    focus(`[data-line="${line.key}"] input`)
  }
  function remove(key: string) {
    const at = lines.findIndex((line) => line.key === key)
    const next = lines[at + 1] ?? lines[at - 1]
    flushSync(() => onChange(lines.filter((line) => line.key !== key)))
    // Its button is gone: on to the next line's.
    focus(next ? `[data-line="${next.key}"] [data-removes]` : '[data-adds]')
  }

  return (
    <div ref={root}>
      <div
        aria-hidden="true"
        className={cn(grid, 'h-(--row-head) items-center border-b border-line text-xs font-medium text-fg-3 max-md:hidden')}
      >
        <span>Kind</span>
        <span>What it is for</span>
        <span className="text-right">Quantity</span>
        <span className="text-right">Unit price</span>
        <span>Tax</span>
        <span className="text-right">Amount</span>
      </div>
      <ul aria-label="Lines">
        {lines.map((line, index) => (
          <QuoteLine
            key={line.key}
            line={line}
            place={index + 1}
            codes={codes}
            amount={totals.lines[index]!.amount}
            problems={problems}
            onChange={(change) => onChange(lines.map((other) => (other.key === line.key ? { ...other, ...change } : other)))}
            onRemove={() => remove(line.key)}
          />
        ))}
      </ul>
      {problems.lines && <LineProblem>{problems.lines}</LineProblem>}
      {lines.length < quoteLimits.lines && (
        <Button icon={<Plus />} variant="quiet" data-adds onClick={add} className="mt-2 -ml-2.5">
          Add line
        </Button>
      )}
    </div>
  )
}

interface QuoteLineProps {
  line: LineDraft
  /** From 1, as a screen reader names its fields. */
  place: number
  codes: readonly PosTaxCode[]
  /** In cents. */
  amount: number
  problems: Readonly<Record<string, string>>
  onChange: (change: Partial<LineDraft>) => void
  onRemove: () => void
}

function QuoteLine({ line, place, codes, amount, problems, onChange, onRemove }: QuoteLineProps) {
  const { key } = line
  const problem = (field: string) => problems[`${field} ${key}`]
  const wrong = ['words', 'quantity', 'price', 'taxCode'].flatMap((field) => problem(field) ?? [])
  const exempt = isExempt(line, codes)
  return (
    <li
      data-line={key}
      className={cn(
        grid,
        'items-center gap-y-2 border-b border-line py-2 max-md:grid max-md:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)] max-md:gap-x-2.5 max-md:py-4',
      )}
    >
      <Select
        aria-label={`Kind of line ${place}`}
        value={line.kind}
        onValueChange={(kind) => kind && onChange({ kind })}
        options={lineKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        className="max-md:col-span-3"
      />
      <Input
        aria-label={`What line ${place} is for`}
        aria-invalid={problem('words') !== undefined}
        value={line.words}
        maxLength={quoteLimits.words}
        autoComplete="off"
        onChange={({ target }) => onChange({ words: target.value })}
        className="max-md:col-span-3"
      />
      <Input
        aria-label={`Quantity of line ${place}`}
        aria-invalid={problem('quantity') !== undefined}
        value={line.quantity}
        maxLength={4}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ target }) => onChange({ quantity: target.value })}
        className="tabular-nums [&>input]:text-right"
      />
      <MoneyInput
        aria-label={`Unit price of line ${place}`}
        aria-invalid={problem('price') !== undefined}
        value={line.price}
        onValueChange={(price) => onChange({ price })}
      />
      <Select
        aria-label={`Tax code of line ${place}`}
        value={line.taxCodeId}
        onValueChange={(taxCodeId) => taxCodeId && onChange({ taxCodeId })}
        options={codes.map(({ Id, Name }) => ({ value: Id, label: Name }))}
      />
      <p className="text-right text-sm font-medium text-fg tabular-nums max-md:col-span-2 max-md:text-left max-md:text-md">
        {formatMoney(amount)}
      </p>
      <IconButton
        label={`Remove line ${place}`}
        icon={<Trash2 />}
        tooltipSide="left"
        data-removes
        onClick={onRemove}
        className="max-md:justify-self-end"
      />
      {exempt && (
        <div className="col-span-full md:col-span-5 md:col-start-2">
          <Input
            aria-label={`Why line ${place} is exempt`}
            aria-invalid={problem('reason') !== undefined}
            value={line.exemptReason}
            maxLength={200}
            autoComplete="off"
            leading="Exempt:"
            placeholder="Why it is exempt from tax"
            onChange={({ target }) => onChange({ exemptReason: target.value })}
          />
          {problem('reason') && <LineProblem>{problem('reason')}</LineProblem>}
        </div>
      )}
      {wrong.length > 0 && (
        <div className="col-span-full">
          {wrong.map((words) => (
            <LineProblem key={words}>{words}</LineProblem>
          ))}
        </div>
      )}
    </li>
  )
}

const LineProblem = ({ children }: { children: string | undefined }) => (
  <p role="alert" className="flex gap-1.5 pt-1 text-sm text-danger-fg">
    <CircleAlert aria-hidden="true" className="mt-0.5" />
    {children}
  </p>
)
