import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { orpc } from '../../../ui/client/api.ts'
import { ConflictNotice } from '../../../ui/forms/ConflictNotice.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { formatMoney } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import type { Problems } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { LineCells, LineProblem } from '../../quotes/web/embed/LineCells.tsx'
import { type LineOrder, useLineOrder } from '../../../ui/hooks/useLineOrder.ts'
import type { Procedure } from '../../../crm/procedures/contract.ts'
import { priceListLimits } from '../contract.ts'
import { ItemField } from './ItemField.tsx'
import { newPrice, type PriceDraft, type PriceListData, totalOf } from './price-list-draft.ts'
import { usePriceListForm } from './usePriceListForm.ts'

/** A row on wide screens: handle, description, type, quantity, price, remove; tax code and item below. A card on narrow ones. */
const row =
  'grid items-center gap-2 border-b border-line py-3 max-lg:grid-cols-[4rem_minmax(0,1fr)_minmax(0,1fr)] lg:grid-cols-[1.25rem_minmax(0,1fr)_8.5rem_4rem_8.5rem_2rem]'

/** Edits a price list. Shows changes by someone else before overwriting them. */
export function PriceListForm({ procedure, list }: { procedure: Procedure; list: PriceListData }) {
  const root = useRef<HTMLDivElement>(null)
  const { form, resolveConflict } = usePriceListForm(procedure, list)
  const { problems, conflict } = form
  const { prices } = form.values
  const guard = useUnsavedGuard(() => form.isDirty && !form.isBusy)
  // QuickBooks may be down or not connected yet: the chosen code stays.
  const codes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime: 60_000, retry: false })).data?.taxCodes ?? []

  const change = (next: PriceDraft[]) => form.set({ prices: next })
  const order = useLineOrder(prices, ({ words }) => words, change)
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus()

  function add() {
    const price = newPrice('extras')
    flushSync(() => change([...prices, price]))
    focus(`[data-reorder="${price.key}"] [data-words]`)
  }
  function remove(key: string) {
    flushSync(() => change(prices.filter((price) => price.key !== key)))
    focus('[data-adds]')
  }

  return (
    <Form form={form}>
      <div ref={root}>
        {conflict ? (
          <ConflictNotice title="Someone else has changed this procedure." onResolve={(keep) => resolveConflict(conflict, keep)} />
        ) : (
          problems.form && <Alert tone="danger">{problems.form}</Alert>
        )}
        <PriceRows prices={prices} order={order} codes={codes} problems={problems} onChange={change} onRemove={remove} />
        {prices.length === 0 && <p className="py-3 text-sm text-fg-2">No prices yet. Quotes begin with the default lines.</p>}
        <div className="flex flex-wrap items-center justify-between gap-3 pt-2">
          {prices.length < priceListLimits.prices ? (
            <Button icon={<Plus />} variant="quiet" data-adds onClick={add}>
              Add price
            </Button>
          ) : (
            <span />
          )}
          <p className="flex items-baseline gap-3 text-md">
            <span className="text-fg-2">Total before tax</span>
            <span className="font-semibold tabular-nums">{formatMoney(totalOf(prices))}</span>
          </p>
        </div>
        <Button
          type="submit"
          variant="filled"
          size="lg"
          className="mt-4"
          busy={form.isBusy}
          busyLabel="Saving…"
          disabled={conflict !== null}
        >
          Save price list
        </Button>
      </div>
      {guard.dialog}
    </Form>
  )
}

type TaxCodes = readonly { Id: string; Name: string }[]

interface PriceRowsProps {
  prices: readonly PriceDraft[]
  order: LineOrder
  codes: TaxCodes
  problems: Problems
  onChange: (prices: PriceDraft[]) => void
  onRemove: (key: string) => void
}

function PriceRows({ prices, order: lines, codes, problems, onChange, onRemove }: PriceRowsProps) {
  const { list, order, lifted: dragged, handle, moveByKey, announcement } = lines
  return (
    <>
      <ul ref={list} aria-label="Prices" className={cn(dragged && 'select-none')}>
        {order.map((key) => {
          const index = prices.findIndex((price) => price.key === key)
          return (
            // oxlint-disable-next-line no-noninteractive-element-interactions -- keys of the fields inside it
            <li
              key={key}
              data-reorder={key}
              onKeyDown={(event) => void moveByKey(event, key)}
              className={cn(row, dragged === key && 'relative z-1 rounded-sm bg-raised shadow-md')}
            >
              <PriceFields
                price={prices[index]!}
                place={index + 1}
                codes={codes}
                problem={(field) => problems[`prices.${index}.${field}`]}
                handle={handle(key)}
                onChange={(part) => onChange(prices.map((price) => (price.key === key ? { ...price, ...part } : price)))}
                onRemove={() => onRemove(key)}
              />
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}

/** The server's field names. */
const serverFields = { words: 'description', kind: 'kind', quantity: 'quantity', price: 'unitPriceCents' } as const

interface PriceFieldsProps {
  price: PriceDraft
  /** One-based, for accessible names. */
  place: number
  codes: TaxCodes
  problem: (field: string) => string | undefined
  handle: ReturnType<LineOrder['handle']>
  onChange: (part: Partial<PriceDraft>) => void
  onRemove: () => void
}

function PriceFields({ price, place, codes, problem, handle, onChange, onRemove }: PriceFieldsProps) {
  const wrong = ['description', 'quantity', 'unitPriceCents', 'taxCodeId', 'itemId', 'id'].flatMap((field) => problem(field) ?? [])
  return (
    <>
      <LineCells
        name={`price ${place}`}
        values={price}
        isWrong={(field) => problem(serverFields[field]) !== undefined}
        handle={handle}
        onChange={onChange}
      />
      <IconButton
        label={`Remove price ${place}`}
        icon={<Trash2 />}
        tooltipSide="left"
        onClick={onRemove}
        className="max-lg:order-10 max-lg:col-start-3 max-lg:justify-self-end"
      />
      <div className="col-span-full grid gap-2 max-lg:order-5 md:grid-cols-2 lg:col-span-4 lg:col-start-2">
        <Select
          aria-label={`Tax code of price ${place}`}
          value={price.taxCodeId}
          noneLabel="Default tax code"
          onValueChange={(taxCodeId) => onChange({ taxCodeId })}
          options={[
            ...codes.map(({ Id, Name }) => ({ value: Id, label: Name })),
            ...(price.taxCodeId && !codes.some(({ Id }) => Id === price.taxCodeId)
              ? [{ value: price.taxCodeId, label: 'Current tax code' }]
              : []),
          ]}
        />
        <ItemField
          label={`QuickBooks item of price ${place}`}
          itemId={price.itemId}
          itemName={price.itemName}
          onChange={(itemId, itemName) => onChange({ itemId, itemName })}
        />
      </div>
      {wrong.length > 0 && (
        <div className="col-span-full max-lg:order-6 lg:col-start-2">
          {[...new Set(wrong)].map((words) => (
            <LineProblem key={words}>{words}</LineProblem>
          ))}
        </div>
      )}
    </>
  )
}
