import { ConnectionsCard } from '../../connections/web/embed/ConnectionsCard.tsx'
import { Section } from '../../../web/ui/Section.tsx'
import { MailboxCard } from '../../mailbox/web/embed/MailboxCard.tsx'
import { QuickBooksCard } from '../../quickbooks/web/embed/QuickBooksCard.tsx'

/** The outside systems that the practice works with. */
export function Integrations() {
  return (
    <Section id="integrations" title="Integrations">
      <QuickBooksCard />
      <MailboxCard />
      <ConnectionsCard />
    </Section>
  )
}
