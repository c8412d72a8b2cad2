import { ListPlus, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { centsToText } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { formatDate, formatMoney } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { formatTax, taxRateOf, type Totals } from '../../../pos/rules.ts'
import { quoteLimits } from '../../contract.ts'
import type { ChoicesData } from '../quote-data.ts'
import { LineCells, LineProblem } from '../embed/LineCells.tsx'
import { type LineOrder, useLineOrder } from '../embed/useLineOrder.ts'
import { isOffList, linesFor, listPriceOf } from './price-list.ts'
import { emptyLine, isExempt, type LineDraft, tidyAmount } from './quote-draft.ts'

/** Columns shared by the lines and the header: handle, description, type, quantity, price, tax, amount, remove. */
const grid = 'lg:grid lg:grid-cols-[1.25rem_minmax(0,1fr)_8rem_2.75rem_6.5rem_7.75rem_5.25rem_1.75rem] lg:gap-x-1.5'

interface QuoteLinesProps {
  lines: readonly LineDraft[]
  codes: readonly PosTaxCode[]
  choices: ChoicesData
  /** The procedure to add price-list lines from; null: none. */
  procedure: ChoicesData['procedures'][number] | null
  /** The tax code of a new line. */
  defaultCode: string
  timeZone: string
  totals: Totals
  problems: Readonly<Record<string, string>>
  onChange: (lines: readonly LineDraft[]) => void
  /** The discount's row, below the lines; null: none is given. */
  discount: ReactNode
  onDiscount: () => void
}

/** The lines of a quote, as a table; on a narrow screen as cards. Enter adds a line, Alt and an arrow move one. */
export function QuoteLines(props: QuoteLinesProps) {
  const { lines, codes, choices, procedure, defaultCode, timeZone, totals, problems, onChange, discount, onDiscount } = props
  const root = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus()
  const { list, order, lifted: dragged, handle, moveByKey, announcement } = useLineOrder(lines, ({ words }) => words, onChange)
  const byKey = new Map(lines.map((line, index) => [line.key, { line, index }]))
  const isFull = lines.length >= quoteLimits.lines
  const listed = procedure ? linesFor([procedure], defaultCode) : []

  function addAfter(key: string | null) {
    if (isFull) return
    const at = key === null ? lines.length : lines.findIndex((line) => line.key === key) + 1
    const line = emptyLine(lines[at - 1]?.kind ?? 'surgeon', defaultCode)
    flushSync(() => onChange(lines.toSpliced(at, 0, line)))
    focus(`[data-reorder="${line.key}"] [data-words]`)
  }
  function remove(key: string) {
    const at = lines.findIndex((line) => line.key === key)
    const next = lines[at + 1] ?? lines[at - 1]
    flushSync(() => onChange(lines.filter((line) => line.key !== key)))
    // Its button is gone: focus the next line's.
    focus(next ? `[data-reorder="${next.key}"] [data-removes]` : '[data-adds]')
  }
  function onKeyDown(event: KeyboardEvent, key: string) {
    if (moveByKey(event, key)) return
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      addAfter(key)
    }
  }

  return (
    <div ref={root}>
      <div
        aria-hidden="true"
        className={cn(grid, 'h-(--row-head) items-center border-b border-line text-xs font-medium text-fg-3 max-lg:hidden')}
      >
        <span />
        <span>Description</span>
        <span>Type</span>
        <span className="text-right">Qty</span>
        <span className="text-right">Unit price</span>
        <span>Tax</span>
        <span className="text-right">Amount</span>
      </div>
      <ul ref={list} aria-label="Lines" className={cn(dragged && 'select-none')}>
        {order.map((key) => {
          const { line, index } = byKey.get(key)!
          return (
            // oxlint-disable-next-line no-noninteractive-element-interactions -- keys of the fields inside it
            <li
              key={key}
              data-reorder={key}
              onKeyDown={(event) => onKeyDown(event, key)}
              className={cn(
                grid,
                'items-center gap-y-2 border-b border-line py-2',
                'max-lg:my-3 max-lg:grid max-lg:grid-cols-[4rem_minmax(0,1fr)_minmax(0,1fr)] max-lg:gap-x-2.5 max-lg:rounded-lg max-lg:border max-lg:p-3',
                dragged === key && 'relative z-1 rounded-sm bg-raised shadow-md',
              )}
            >
              <LineFields
                line={line}
                place={index + 1}
                codes={codes}
                choices={choices}
                amount={totals.lines[index]!.amount}
                problems={problems}
                handle={handle(key)}
                onChange={(change) => onChange(lines.map((other) => (other.key === key ? { ...other, ...change } : other)))}
                onRemove={() => remove(key)}
              />
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {discount}
      {problems.lines && <LineProblem>{problems.lines}</LineProblem>}
      <div className="flex flex-wrap items-center gap-2 pt-3">
        {listed.length > 0 && !isFull && (
          <DropdownMenu align="start" trigger={<Button icon={<ListPlus />}>Add from price list</Button>}>
            {listed.map((line) => (
              <MenuItem key={line.key} onSelect={() => onChange([...lines, line])}>
                <span className="flex-1">{line.words}</span>
                <span className="pl-4 text-fg-3 tabular-nums">{line.price}</span>
              </MenuItem>
            ))}
          </DropdownMenu>
        )}
        {!isFull && (
          <Button icon={<Plus />} variant="quiet" data-adds onClick={() => addAfter(null)}>
            Add line
          </Button>
        )}
        {!discount && (
          <Button
            variant="quiet"
            onClick={() => {
              flushSync(onDiscount)
              focus('[data-discount]')
            }}
          >
            Add discount
          </Button>
        )}
        {procedure?.pricesChangedAt && (
          <span className="ml-auto text-sm text-fg-3">Price list of {formatDate(procedure.pricesChangedAt, timeZone)}</span>
        )}
      </div>
    </div>
  )
}

interface LineFieldsProps {
  line: LineDraft
  /** One-based, for accessible names. */
  place: number
  codes: readonly PosTaxCode[]
  choices: ChoicesData
  /** In cents. */
  amount: number
  problems: Readonly<Record<string, string>>
  handle: ReturnType<LineOrder['handle']>
  onChange: (change: Partial<LineDraft>) => void
  onRemove: () => void
}

function LineFields({ line, place, codes, choices, amount, problems, handle, onChange, onRemove }: LineFieldsProps) {
  const problem = (field: string) => problems[`${field} ${line.key}`]
  const wrong = ['words', 'quantity', 'price', 'taxCode'].flatMap((field) => problem(field) ?? [])
  const listPrice = listPriceOf(line, choices)
  return (
    <>
      <LineCells
        name={`line ${place}`}
        values={line}
        isWrong={(field) => problem(field) !== undefined}
        handle={handle}
        onChange={onChange}
        onPriceBlur={() => line.price !== tidyAmount(line.price) && onChange({ price: tidyAmount(line.price) })}
      />
      <Select
        aria-label={`Tax code of line ${place}`}
        value={line.taxCodeId}
        onValueChange={(taxCodeId) => taxCodeId && onChange({ taxCodeId })}
        options={codes.map(({ Id, Name, SalesTaxRateList }) => {
          const rates = SalesTaxRateList.map(({ RateValue }) => RateValue)
          return { value: Id, label: formatTax({ name: Name, rate: taxRateOf({ name: Name, rates }) }) }
        })}
        className="max-lg:order-5 max-lg:col-span-3"
      />
      <p className="text-right text-sm font-medium text-fg tabular-nums max-lg:order-8 max-lg:text-left max-lg:text-md">
        {formatMoney(amount)}
      </p>
      <IconButton
        label={`Remove line ${place}`}
        icon={<Trash2 />}
        tooltipSide="left"
        data-removes
        onClick={onRemove}
        className="max-lg:order-8 max-lg:justify-self-end"
      />
      {listPrice !== null && isOffList(line, choices) && (
        <p className="col-span-full flex items-center gap-3 text-sm text-fg-2 max-lg:order-9 lg:col-span-6 lg:col-start-2 lg:justify-end lg:pr-[calc(5.25rem+0.375rem)]">
          <span className="tabular-nums">List price {formatMoney(listPrice)}</span>
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Use the list price for line ${place}`}
            onClick={() => onChange({ price: centsToText(listPrice) })}
          >
            Use list price
          </Button>
        </p>
      )}
      {isExempt(line, codes) && (
        <div className="col-span-full max-lg:order-10 lg:col-span-6 lg:col-start-2">
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
        <div className="col-span-full max-lg:order-11 lg:col-start-2">
          {wrong.map((words) => (
            <LineProblem key={words}>{words}</LineProblem>
          ))}
        </div>
      )}
    </>
  )
}
