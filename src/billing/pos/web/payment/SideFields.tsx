import type { Dispatch } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { PaidBy } from './PaidBy.tsx'
import { PrepaidField } from './PrepaidField.tsx'
import { type Sale, type SaleAction, terminalWay, type Way } from './sale.ts'
import { defaultAccount, type QuickBooksLists } from './useQuickBooksLists.ts'

interface SideFieldsProps {
  sale: Sale
  /** In cents. */
  total: number
  /** Whether gift cards and credit pay the whole sale. */
  isPrepaid: boolean
  quickBooks: QuickBooksLists
  errors: Record<string, string>
  /** Whether it pays a charge, which already says what it is for. */
  isForCharge: boolean
  change: Dispatch<SaleAction>
}

/** How it was paid, then what only the bookkeeping needs. Neither way to pay nor account is asked for if no money is due. */
export function SideFields({ sale, total, isPrepaid, quickBooks, errors, isForCharge, change }: SideFieldsProps) {
  const set = (change_: Partial<Omit<Sale, 'cart'>>) => change({ do: 'set', change: change_ })
  const classes = quickBooks.classes.data?.classes ?? []
  const cardAccount = quickBooks.accounts.data?.cardAccount ?? null
  /** A card at a reader goes to Stripe’s account; the next way to pay begins with the default one again. */
  function choose(way: Way) {
    const isAtReader = way === terminalWay
    if (isAtReader === (sale.way === terminalWay)) return set({ way })
    set({ way, depositAccountId: isAtReader ? cardAccount : defaultAccount(quickBooks) })
  }
  return (
    <div className="flex flex-col gap-4">
      <PrepaidField
        chosen={sale.prepaid}
        total={total}
        contactId={sale.customer?.refyneContactId ?? null}
        onChange={(prepaid) => set({ prepaid })}
      />
      {!isPrepaid && (
        <div data-field="way">
          <PaidBy way={sale.way} error={errors.way} onChange={choose} />
        </div>
      )}
      <Field label="Memo" optional>
        <Input
          value={sale.memo}
          onChange={(event) => set({ memo: event.target.value })}
          maxLength={1_000}
          autoComplete="off"
          placeholder="Printed on the receipt"
        />
      </Field>
      {!isForCharge && (
        <CheckboxLine
          checked={sale.isDeposit}
          onCheckedChange={(isDeposit) => set({ isDeposit })}
          hint="Kept as credit until it is applied to a charge."
        >
          Deposit for future treatment
        </CheckboxLine>
      )}
      {/* QuickBooks needs an account even if no money is due; any will do. */}
      {!(isPrepaid && sale.depositAccountId) && (
        <div data-field="account">
          <DepositAccount
            sale={sale}
            accounts={quickBooks.accounts}
            error={errors.account}
            onChange={(depositAccountId) => set({ depositAccountId })}
          />
        </div>
      )}
      {quickBooks.classes.isPending ? (
        <FieldSkeleton label="Class" />
      ) : quickBooks.classes.error && !quickBooks.classes.data ? (
        <Field label="Class">
          <NotLoaded what="classes" error={quickBooks.classes.error} onRetry={() => void quickBooks.classes.refetch()} />
        </Field>
      ) : (
        classes.length > 0 && (
          <Field label="Class" optional>
            <Select
              value={sale.classId}
              onValueChange={(classId) => set({ classId })}
              options={classes.map(({ Id, Name }) => ({ value: Id, label: Name }))}
              noneLabel="No class"
            />
          </Field>
        )
      )}
    </div>
  )
}

interface DepositAccountProps {
  sale: Sale
  accounts: QuickBooksLists['accounts']
  error: string | undefined
  onChange: (id: string | null) => void
}

function DepositAccount({ sale, accounts, error, onChange }: DepositAccountProps) {
  // Until the accounts are known, another one may be chosen; the server refuses it.
  const isFixed = sale.way === terminalWay && sale.depositAccountId !== null && sale.depositAccountId === accounts.data?.cardAccount
  if (accounts.isPending) return <FieldSkeleton label="Deposit to" />
  if (!accounts.data) {
    return (
      <Field label="Deposit to">
        <NotLoaded what="deposit accounts" error={accounts.error} onRetry={() => void accounts.refetch()} />
      </Field>
    )
  }
  const all = accounts.data.accounts
  if (all.length === 0) {
    return (
      <Field label="Deposit to">
        <Alert tone="warning" action={<HelpLink to="payments#if-something-is-missing-in-the-list">What is missing</HelpLink>}>
          No clearing accounts found. Please check your QuickBooks setup.
        </Alert>
      </Field>
    )
  }
  return (
    <Field label="Deposit to" error={error} hint={isFixed ? 'Stripe pays out from this account.' : undefined}>
      <Select
        disabled={isFixed}
        value={sale.depositAccountId}
        onValueChange={onChange}
        options={all.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        placeholder="Choose an account"
      />
    </Field>
  )
}

const FieldSkeleton = ({ label }: { label: string }) => (
  <Field label={label}>
    <span role="status" aria-label="Loading" className="flex h-11 items-center rounded-md border border-line px-2.5 md:h-9">
      <Skeleton className="w-1/2" />
    </span>
  </Field>
)

export const NotLoaded = ({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) => (
  <Alert
    tone="danger"
    action={
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    Couldn’t load {what}. {messageOf(error)}
  </Alert>
)
