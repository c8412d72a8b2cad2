import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../../../ui/format.ts'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { useAccount } from '../useAccount.ts'

/** What a patient owes, for those who see money; it leads to the account. */
export function PatientBalance({ contactId }: { contactId: string }) {
  return useMay()('collections.account') ? <Balance contactId={contactId} /> : null
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
