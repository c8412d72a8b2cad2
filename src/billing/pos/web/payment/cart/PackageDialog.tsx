import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { formatMoney, today } from '../../../../../ui/format.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { DateInput } from '../../../../../ui/controls/DateInput.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../../ui/controls/MoneyInput.tsx'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { textToCents } from '../../../../../shared/money.ts'
import { hasExpired, lastDayPast, prepaidLimits } from '../../../../prepaid/rules.ts'
import { type PosItem, posMessages } from '../../../contract.ts'
import type { SoldPackage } from './cart.ts'
import { ItemSearch } from './ItemSearch.tsx'
import { priceOfText } from './typed-amounts.ts'

interface PackageDialogProps {
  /** `taxed`: the item whose tax code the package is sold with. */
  onAdd: (given: { taxed: PosItem; priceCents: number; sold: SoldPackage }) => void
  onClose: () => void
  /** Ids of items that no package contains. */
  without: readonly string[]
}

const sessionsOf = (text: string): number => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : 0)

/** Sessions of an item for one price. */
export default function PackageDialog({ onAdd, onClose, without }: PackageDialogProps) {
  const day = today(useClock())
  const [item, setItem] = useState<PosItem | null>(null)
  const form = useActionForm({
    initial: { sessions: '6', price: '', expiresOn: '' },
    check: ({ sessions, price, expiresOn }) => ({
      item: item === null ? 'Choose an item' : undefined,
      sessions: sessionsOf(sessions) < 2 || sessionsOf(sessions) > prepaidLimits.sessions ? posMessages.sessions : undefined,
      price: (textToCents(price) ?? 0) < 1 ? posMessages.money : undefined,
      expiresOn: hasExpired({ expiresOn: expiresOn || null }, day) ? lastDayPast : undefined,
    }),
    send: async ({ sessions, price, expiresOn }) => {
      const sold = { itemId: item!.qbItemId, itemName: item!.name, sessions: sessionsOf(sessions), expiresOn: expiresOn || null }
      onAdd({ taxed: item!, priceCents: textToCents(price)!, sold })
    },
  })
  const { sessions, price } = form.values
  const each = sessionsOf(sessions) > 0 ? Math.round((textToCents(price) ?? 0) / sessionsOf(sessions)) : 0
  return (
    <ActionDialog title="Add package" form={form} action={{ label: 'Add to cart' }} onClose={onClose}>
      {item ? (
        <div>
          <p className="pb-1.5 text-sm font-medium text-fg">Item</p>
          <div className="flex items-center gap-3 rounded-md border border-line px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="text-md font-medium break-words text-fg">{item.name}</p>
              <p className="text-sm text-fg-2 tabular-nums">{formatMoney(priceOfText(String(item.unitPrice)))} each</p>
            </div>
            <Button size="sm" onClick={() => setItem(null)}>
              Change
            </Button>
          </div>
        </div>
      ) : (
        <Field label="Item" error={form.problems.item}>
          <ItemSearch onAdd={setItem} without={without} />
        </Field>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label="Sessions" error={form.problems.sessions}>
          <Input {...form.text('sessions')} inputMode="numeric" autoComplete="off" maxLength={3} />
        </Field>
        <Field label="Price before tax" error={form.problems.price} hint={each > 0 ? `${formatMoney(each)} for each session` : undefined}>
          <MoneyInput {...form.bind('price')} />
        </Field>
      </div>
      <Field label="Last day" optional error={form.problems.expiresOn} hint="Without a last day the package does not expire.">
        <DateInput {...form.bind('expiresOn')} min={day} />
      </Field>
    </ActionDialog>
  )
}
