import { CalendarClock, Ellipsis, Handshake, Link as LinkIcon, OctagonPause, Play } from 'lucide-react'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { formatDay, formatMoney, today } from '../../../../ui/format.ts'
import { PdfLanguageItems } from '../../../../ui/overlays/PdfLanguageItems.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { openPayment } from '../../../payments/web/embed/payment-dialog.ts'
import { createTask } from '../../../../crm/tasks/web/embed/task-dialog.ts'
import type { AccountData, AccountPatient } from '../account-data.ts'
import { ages } from '../../rules.ts'
import { AgeingRow } from '../AgeingRow.tsx'
import type { Do } from '../actions/action.ts'

interface AccountHeadProps {
  account: AccountData
  patient: AccountPatient
  act: Do
}

/** The balance, its ageing, and the actions. */
export function AccountHead({ account, patient, act }: AccountHeadProps) {
  const clock = useClock()
  const may = usePermission()
  const { ageing, balanceCents, isHeld, notes, portions, charges } = account
  const overdueCents = balanceCents > 0 ? ages.reduce((sum, age) => sum + (age === 'current' ? 0 : ageing[age]), 0) : 0
  // A payment is taken for the most urgent charge.
  const charge = charges.find(({ id }) => id === portions[0]?.chargeId)
  const promise = balanceCents > 0 ? notes.find(({ kind }) => kind === 'promise') : undefined
  const isBroken = promise?.dueOn != null && promise.dueOn < today(clock)
  return (
    <div className="flex flex-col gap-4 pb-5">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2 text-2xl font-semibold tabular-nums">
          {formatMoney(balanceCents)}
          <span className="text-sm font-regular text-fg-2">
            {balanceCents > 0 ? 'outstanding' : 'balance'}
            {overdueCents > 0 && `, ${formatMoney(overdueCents)} overdue`}
          </span>
          {isHeld && (
            <Badge tone="warning" icon={<OctagonPause />}>
              Surgery on hold
            </Badge>
          )}
        </p>
        {promise && (
          <p className={cn('text-sm', isBroken ? 'text-danger-fg' : 'text-fg-2')}>
            {isBroken ? 'Promise not kept: ' : 'Promised: '}
            {formatMoney(promise.amountCents ?? 0)}
            {promise.dueOn && ` by ${formatDay(promise.dueOn)}`}
          </p>
        )}
      </div>
      {balanceCents > 0 && <AgeingRow ageing={ageing} />}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={balanceCents > 0 ? 'filled' : 'outlined'}
          className="max-md:w-full"
          onClick={() => openPayment({ contactId: patient.id, ...(charge && { charge }) })}
        >
          Take payment
        </Button>
        {balanceCents > 0 && may('collections.remind') && (
          <Button className="max-md:flex-1" onClick={() => act({ do: 'remind' })}>
            Send reminder
          </Button>
        )}
        {may('collections.addCharge') && (
          <Button className="max-md:flex-1" onClick={() => act({ do: 'charge' })}>
            Add charge
          </Button>
        )}
        <DropdownMenu trigger={<IconButton label="More about this account" icon={<Ellipsis />} variant="outlined" size="lg" />}>
          {balanceCents > 0 && may('collections.payLink') && (
            <MenuItem icon={<LinkIcon />} onSelect={() => act({ do: 'link', patient })}>
              Payment link…
            </MenuItem>
          )}
          <MenuItem icon={<Handshake />} onSelect={() => act({ do: 'promise' })}>
            Promise to pay…
          </MenuItem>
          <MenuItem icon={<CalendarClock />} onSelect={() => createTask(patient)}>
            Reminder task…
          </MenuItem>
          {balanceCents > 0 && (
            <MenuItem icon={isHeld ? <Play /> : <OctagonPause />} onSelect={() => act({ do: 'hold' })}>
              {isHeld ? 'Release hold…' : 'Hold surgery…'}
            </MenuItem>
          )}
          <MenuSeparator />
          <PdfLanguageItems href={`/api/contacts/${patient.id}/statement.pdf`} label="Statement" />
        </DropdownMenu>
      </div>
    </div>
  )
}
