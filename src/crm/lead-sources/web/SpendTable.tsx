import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { Fragment, type KeyboardEvent, useId, useRef } from 'react'
import { centsToText } from '../../../shared/money.ts'
import { MoneyInput } from '../../../ui/controls/MoneyInput.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { monthsOfYear } from './spend-entry.ts'
import { type Spend, spendIn, type SpendOfSource } from './useSpend.ts'

interface SpendProps {
  spend: Spend
  sources: readonly SpendOfSource[]
  year: number
  isReadOnly: boolean
}

const nameOf = (month: string) => format(parseISO(month), 'MMMM yyyy')
const totalOf = ({ months }: SpendOfSource) => months.reduce((sum, { cents }) => sum + cents, 0)
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, cents) => sum + cents, 0)

/** A row for each source and a column for each month. Arrow keys walk the fields as in a spreadsheet. */
export function SpendTable({ spend, sources, year, isReadOnly }: SpendProps) {
  const table = useRef<HTMLTableElement>(null)
  const months = monthsOfYear(year)
  const focus = (row: number, column: number) => {
    const field = table.current?.querySelector<HTMLInputElement>(`[data-cell="${row}:${column}"]`)
    field?.focus()
    field?.select()
    return field !== null && field !== undefined
  }
  const walk = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const isWhole = selectionStart === 0 && selectionEnd === value.length
    const isAtStart = isWhole || (selectionStart === 0 && selectionEnd === 0)
    const isAtEnd = isWhole || (selectionStart === value.length && selectionEnd === value.length)
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: isAtStart && [0, -1], ArrowRight: isAtEnd && [0, 1] }[event.key]
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && focus(row + step[0]!, column + step[1]!))
      event.preventDefault()
  }
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="overflow-x-auto" tabIndex={isReadOnly ? 0 : undefined} role="region" aria-label={`Spend by source in ${year}`}>
      <table ref={table} className="w-full min-w-264 table-fixed text-sm">
        <caption className="sr-only">{`Spend by source in ${year}, in dollars`}</caption>
        <colgroup>
          <col className="w-36" />
          {months.map((month) => (
            <col key={month} />
          ))}
          <col className="w-25" />
        </colgroup>
        <thead>
          <tr className="text-xs text-fg-3">
            <th scope="col" className="sticky left-0 z-(--z-sticky) bg-surface py-2 text-left font-medium">
              Source
            </th>
            {months.map((month) => (
              <th key={month} scope="col" className="py-2 pr-2 text-right font-medium">
                <span aria-hidden="true">{format(parseISO(month), 'MMM')}</span>
                <span className="sr-only">{nameOf(month)}</span>
              </th>
            ))}
            <th scope="col" className="py-2 text-right font-medium">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source, row) => {
            const wrong = months.flatMap((month) => {
              const problem = spend.problemIn(source, month)
              return problem ? [{ month, problem }] : []
            })
            return (
              <Fragment key={source.id}>
                <tr className="border-t border-line">
                  <th scope="row" className="sticky left-0 z-(--z-sticky) bg-surface py-1 pr-2 text-left font-medium text-fg">
                    <span className="flex items-center gap-2">
                      <span className="truncate" title={source.name}>
                        {source.name}
                      </span>
                      {!source.isActive && <Badge>Retired</Badge>}
                    </span>
                  </th>
                  {months.map((month, column) => (
                    <td key={month} className="p-0.5 text-right tabular-nums">
                      {isReadOnly ? (
                        <span className="block min-h-8 py-1.5 pr-1.5 text-fg">{centsToText(spendIn(source, month))}</span>
                      ) : (
                        <AmountField
                          {...{ spend, source, month }}
                          cell={`${row}:${column}`}
                          onKeyDown={(event) => walk(event, row, column)}
                        />
                      )}
                    </td>
                  ))}
                  <td className="py-1 text-right font-medium text-fg tabular-nums">{formatMoney(totalOf(source))}</td>
                </tr>
                {wrong.length > 0 && (
                  <tr>
                    <td colSpan={months.length + 2} className="pb-2 pl-36">
                      {wrong.map(({ month, problem }) => (
                        <p key={month} role="alert" id={problemId(source, month)} className="text-sm text-danger-fg">
                          {`${nameOf(month)}: ${problem}`}
                        </p>
                      ))}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-2 font-medium text-fg">
            <th scope="row" className="sticky left-0 z-(--z-sticky) bg-surface py-2.5 text-left font-medium">
              Total
            </th>
            {months.map((month) => (
              <td key={month} className="py-2.5 pr-2 text-right tabular-nums">
                {centsToText(sumOf(sources.map((source) => spendIn(source, month) ?? 0)))}
              </td>
            ))}
            <td className="py-2.5 text-right tabular-nums">{formatMoney(sumOf(sources.map(totalOf)))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const problemId = ({ id }: SpendOfSource, month: string) => `problem-${id}-${month}`

interface AmountFieldProps {
  spend: Spend
  source: SpendOfSource
  month: string
  cell: string
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** A cell of the table: as quiet as text until it is used. */
function AmountField({ spend, source, month, cell, onKeyDown }: AmountFieldProps) {
  const problem = spend.problemIn(source, month)
  return (
    <input
      {...fieldOf(spend, source, month, onKeyDown)}
      data-cell={cell}
      aria-label={`${source.name}, ${nameOf(month)}`}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem ? problemId(source, month) : undefined}
      onChange={({ target }) => spend.type(source, month, target.value)}
      onFocus={({ target }) => target.select()}
      placeholder="–"
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      className="h-8 w-full min-w-0 rounded-sm field-edge field-quiet px-1 text-right text-sm tabular-nums"
    />
  )
}

/** What a field of an amount does, in the table and in a card. */
function fieldOf(spend: Spend, source: SpendOfSource, month: string, onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void) {
  return {
    value: spend.textIn(source, month),
    onBlur: () => spend.commit(source, month, false),
    onPaste: (event: React.ClipboardEvent) => {
      if (spend.paste(source, month, event.clipboardData.getData('text/plain'))) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Enter') spend.commit(source, month, true)
      else if (event.key === 'Escape') spend.revert(source, month)
      else onKeyDown?.(event)
    },
  }
}

/** On a phone: a card for each source, which opens its months. */
export function SpendCards({ spend, sources, year, isReadOnly }: SpendProps) {
  const heading = useId()
  return (
    <ul aria-label={`Spend by source in ${year}`} className="flex flex-col">
      {sources.map((source) => (
        <li key={source.id} aria-labelledby={`${heading}-${source.id}`} className="border-b border-line py-1 last:border-b-0">
          <Disclosure
            summary={
              <span className="flex min-w-0 flex-1 items-center gap-2">
                <span id={`${heading}-${source.id}`} className="truncate text-md font-medium text-fg">
                  {source.name}
                </span>
                {!source.isActive && <Badge>Retired</Badge>}
                <span className="ml-auto pl-2 text-md text-fg tabular-nums">{formatMoney(totalOf(source))}</span>
              </span>
            }
          >
            <div className="grid grid-cols-2 gap-3 pt-1 pb-4">
              {monthsOfYear(year).map((month) =>
                isReadOnly ? (
                  <p key={month} className="flex justify-between gap-2 text-sm">
                    <span className="text-fg-2">{format(parseISO(month), 'MMM')}</span>
                    <span className="text-fg tabular-nums">{centsToText(spendIn(source, month)) || '–'}</span>
                  </p>
                ) : (
                  <Field key={month} label={format(parseISO(month), 'MMMM')} error={spend.problemIn(source, month)}>
                    <MoneyInput {...fieldOf(spend, source, month)} onValueChange={(text) => spend.type(source, month, text)} />
                  </Field>
                ),
              )}
            </div>
          </Disclosure>
        </li>
      ))}
    </ul>
  )
}
