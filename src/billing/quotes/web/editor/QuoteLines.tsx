import { ListPlus, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { formatDate } from '../../../../ui/format.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { Totals } from '../../../pos/rules.ts'
import { quoteLimits } from '../../quote-contract.ts'
import { LineProblem } from '../embed/LineCells.tsx'
import { useLineOrder } from '../../../../ui/hooks/useLineOrder.ts'
import { LineFields } from './LineFields.tsx'
import { LineNotes } from './LineNotes.tsx'
import { type Beginning, linesFor } from './price-list.ts'
import { emptyLine, type LineDraft } from './quote-draft.ts'
import type { QuoteEditorState } from './useQuoteEditor.ts'

/** Columns shared by the lines and the header: handle, description, type, quantity, price, tax, amount, remove. */
const grid = 'lg:grid lg:grid-cols-[1.25rem_minmax(0,1fr)_8rem_2.75rem_6.5rem_7.75rem_5.25rem_1.75rem] lg:gap-x-1.5'

interface QuoteLinesProps {
  editor: QuoteEditorState
  beginning: Beginning
  codes: readonly PosTaxCode[]
  totals: Totals
  /** The discount's row, below the lines; null: none is given. */
  discount: ReactNode
  onDiscount: () => void
}

/** The lines of a quote, as a table; on a narrow screen as cards. Enter adds a line, Alt and an arrow move one. */
export function QuoteLines({ editor, beginning, codes, totals, discount, onDiscount }: QuoteLinesProps) {
  const { draft, change, problems } = editor
  const { lines } = draft
  const { choices, defaultCode, timeZone } = beginning
  // Its price list is offered.
  const procedure = choices.procedures.find(({ id }) => id === draft.procedureId) ?? null
  const onChange = (next: readonly LineDraft[]) => change({ ...draft, lines: next })
  const root = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus()
  const { list, order, lifted: dragged, handle, moveByKey, announcement } = useLineOrder(lines, ({ words }) => words, onChange)
  const byKey = new Map(lines.map((line, index) => [line.key, { line, index }]))
  const isFull = lines.length >= quoteLimits.lines
  const listed = procedure ? linesFor([procedure], defaultCode) : []

  const changeLine = (key: string, part: Partial<LineDraft>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
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
      <LinesHead />
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
                amount={totals.lines[index]!.amount}
                problems={problems}
                handle={handle(key)}
                onChange={(part) => changeLine(key, part)}
                onRemove={() => remove(key)}
              />
              <LineNotes
                line={line}
                place={index + 1}
                codes={codes}
                choices={choices}
                problems={problems}
                onChange={(part) => changeLine(key, part)}
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

function LinesHead() {
  return (
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
  )
}
