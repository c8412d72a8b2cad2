import { CalendarDays, CircleDollarSign, Ellipsis, Eraser, Receipt, Undo2, X } from 'lucide-react'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { openPayment } from '../../../payments/web/embed/payment-dialog.ts'
import type { AccountData, AccountPatient, ChargeData } from '../account-data.ts'
import { beforeSurgeryLabel, formatDueDate, endOf, paymentsOf, receiptName } from '../account-labels.ts'
import type { Do } from '../actions/action.ts'
import { Line, Section } from './Section.tsx'

interface ChargesProps {
  account: AccountData
  patient: AccountPatient
  act: Do
}

/** All charges, newest first, with the payments applied to each. */
export function Charges({ account, ...props }: ChargesProps) {
  return (
    <Section title="Charges">
      <ul aria-label="Charges">
        {account.charges.map((charge) => (
          <Charge key={charge.id} charge={charge} account={account} {...props} />
        ))}
      </ul>
    </Section>
  )
}

function Charge({ charge, account, patient, act }: ChargesProps & { charge: ChargeData }) {
  const may = usePermission()
  const end = endOf(charge, account)
  const payments = paymentsOf(charge, account)
  const facts = [formatDueDate(charge), beforeSurgeryLabel(charge)].filter(Boolean).join(' · ')
  return (
    <li>
      <Line
        title={charge.description}
        facts={facts}
        amount={formatMoney(charge.amountCents)}
        detail={end ?? (charge.openCents === charge.amountCents ? 'Open' : `${formatMoney(charge.openCents)} open`)}
        action={end !== 'Void' && <ChargeMenu {...{ charge, account, patient, act }} />}
      />
      {payments.map((payment) => (
        <div key={payment.receiptId} className="flex items-center gap-3 pb-1 pl-3 text-sm text-fg-2">
          <span className="min-w-0 flex-1 truncate">{receiptName(payment)}</span>
          {may('collections.release') && (
            <IconButton
              label={`Unapply ${receiptName(payment)}`}
              icon={<Undo2 />}
              size="sm"
              tooltipSide="left"
              onClick={() => act({ do: 'unapply', charge, payment })}
            />
          )}
          <span className="min-w-24 flex-none text-right tabular-nums">{formatMoney(-payment.paidCents)}</span>
        </div>
      ))}
    </li>
  )
}

function ChargeMenu({ charge, account, patient, act }: ChargesProps & { charge: ChargeData }) {
  const may = usePermission()
  const isOpen = charge.openCents > 0
  const hasDeposit = account.deposits.length > 0
  const isFullyOpen = charge.openCents === charge.amountCents
  if (!isOpen && charge.plan.length === 0) return null
  return (
    <DropdownMenu trigger={<IconButton label={`More about ${charge.description}`} icon={<Ellipsis />} size="sm" tooltipSide="left" />}>
      {isOpen && (
        <MenuItem icon={<CircleDollarSign />} onSelect={() => openPayment({ contactId: patient.id, charge })}>
          Take payment…
        </MenuItem>
      )}
      {isOpen && hasDeposit && may('collections.apply') && (
        <MenuItem icon={<Receipt />} onSelect={() => act({ do: 'apply', charge })}>
          Apply a deposit…
        </MenuItem>
      )}
      <MenuItem icon={<CalendarDays />} onSelect={() => act({ do: 'days', charge })}>
        Change due dates…
      </MenuItem>
      {isOpen && may('collections.writeOff') && (
        <MenuItem icon={<Eraser />} danger onSelect={() => act({ do: 'write-off', charge })}>
          Write off…
        </MenuItem>
      )}
      {isFullyOpen && may('collections.void') && (
        <MenuItem icon={<X />} danger onSelect={() => act({ do: 'void', charge })}>
          Void…
        </MenuItem>
      )}
    </DropdownMenu>
  )
}
