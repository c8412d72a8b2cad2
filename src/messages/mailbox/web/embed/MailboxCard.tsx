import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConnectionTest } from '../../../../platform/connection-tests/web/embed/ConnectionTest.tsx'
import { useConnection } from '../connection.ts'
import type { Connection } from '../mailbox-data.ts'

const badges: Record<Connection['state'], { tone: BadgeTone; icon: ReactNode; label: string }> = {
  none: { tone: 'neutral', icon: <CircleDashed />, label: 'Not connected' },
  connected: { tone: 'success', icon: <CircleCheck />, label: 'Connected' },
  reconnect: { tone: 'danger', icon: <CircleAlert />, label: 'Must be reconnected' },
}

/** The current user's mailbox connection, with a test. Hidden where mailboxes are not set up. */
export function MailboxCard() {
  const cache = useQueryClient()
  const { data: connection } = useConnection()
  if (!connection || connection.offers.length === 0) return null
  const { state, email } = connection
  const badge = badges[state]
  async function ask() {
    const outcome = await client.mailbox.test()
    await cache.invalidateQueries({ queryKey: orpc.mailbox.connection.key() })
    return outcome
  }
  return (
    <section aria-labelledby="own-mailbox" className="border-t border-line py-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 id="own-mailbox" className="text-md font-semibold text-fg">
          Your mailbox
        </h3>
        <Badge tone={badge.tone} icon={badge.icon}>
          {badge.label}
        </Badge>
      </div>
      <p className="max-w-[60ch] pt-1 text-sm wrap-anywhere text-fg-2">
        {state === 'none' ? 'Your own email beside your patients. No one else sees it.' : email}
      </p>
      {state === 'none' ? (
        <Button asChild className="mt-3">
          <Link to="/email">Connect under Email</Link>
        </Button>
      ) : (
        <ConnectionTest label="Test your mailbox" ask={ask} />
      )}
    </section>
  )
}
