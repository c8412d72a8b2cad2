import { ConnectionsCard } from '../../connections/web/embed/ConnectionsCard.tsx'
import { Section } from '../../../ui/display/Section.tsx'
import { MailboxCard } from '../../../messages/mailbox/web/embed/MailboxCard.tsx'
import { QuickBooksCard } from '../../../billing/quickbooks/web/embed/QuickBooksCard.tsx'

/** QuickBooks, mailboxes and the other external systems. */
export function Integrations() {
  return (
    <Section id="integrations" title="Integrations">
      <QuickBooksCard />
      <MailboxCard />
      <ConnectionsCard />
    </Section>
  )
}
