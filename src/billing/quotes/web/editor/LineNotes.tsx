import { centsToText } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { LineProblem } from '../embed/LineCells.tsx'
import type { ChoicesData } from '../quote-data.ts'
import { isOffList, listPriceOf } from './price-list.ts'
import { isExempt, type LineDraft } from './quote-draft.ts'

interface LineNotesProps {
  line: LineDraft
  /** One-based, for accessible names. */
  place: number
  codes: readonly PosTaxCode[]
  choices: ChoicesData
  problems: Readonly<Record<string, string>>
  onChange: (change: Partial<LineDraft>) => void
}

/** What follows the fields of a line: the list price it differs from, why it is exempt from tax, and its problems. */
export function LineNotes({ line, place, codes, choices, problems, onChange }: LineNotesProps) {
  const problem = (field: string) => problems[`${field} ${line.key}`]
  const wrong = ['words', 'quantity', 'price', 'taxCode'].flatMap((field) => problem(field) ?? [])
  const listPrice = listPriceOf(line, choices)
  return (
    <>
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
