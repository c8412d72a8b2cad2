import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../../../ui/format.ts'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { useAccount } from '../useAccount.ts'

/** A patient's balance with a link to the account, for users who may see amounts. */
export function PatientBalance({ contactId }: { contactId: string }) {
  return usePermission()('collections.account') ? <Balance contactId={contactId} /> : null
}

function Balance({ contactId }: { contactId: string }) {
  const { data } = useAccount(contactId)
  if (!data) return null
  return (
    <PanelSection title="Account">
      <Facts>
        <Fact label="Balance">
          <Link
            to="."
            search={{ tab: 'account' }}
            resetScroll={false}
            className="rounded-xs tabular-nums underline-offset-2 hover:underline"
          >
            {formatMoney(data.balanceCents)}
          </Link>
        </Fact>
      </Facts>
    </PanelSection>
  )
}
