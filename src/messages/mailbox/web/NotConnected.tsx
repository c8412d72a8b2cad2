import { Mail } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { connectLabels, useConnect } from './connection.ts'
import type { Connection } from './mailbox-data.ts'

/** Explains the page, and how to connect a mailbox. */
export function NotConnected({ offers }: { offers: Connection['offers'] }) {
  const { connect, going } = useConnect()
  const { people } = useDirectory()
  if (offers.length === 0) {
    const names = people.filter(({ role }) => role === 'admin').map(({ fullName }) => fullName)
    const some = names.length > 0 && names.length <= 3
    return (
      <EmptyState
        icon={<Mail />}
        title="Email is not set up yet"
        className="my-auto pb-24"
        actions={<HelpLink to="email#connect-your-mailbox">How your mailbox works here</HelpLink>}
      >
        Here your own mailbox will stand beside your patients. An administrator has to set it up first
        {some && `: ${new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(names)}`}.
      </EmptyState>
    )
  }
  const isOnly = offers.length === 1
  return (
    <EmptyState
      icon={<Mail />}
      title="Connect your mailbox"
      className="my-auto max-w-96 pb-24"
      actions={offers.toReversed().map((provider, index) => (
        <Button
          key={provider}
          variant={index === 0 ? 'filled' : 'outlined'}
          busy={going === provider}
          busyLabel="Connecting…"
          disabled={going !== null && going !== provider}
          onClick={() => connect(provider)}
        >
          {isOnly && provider === 'nylas' ? 'Connect your mailbox' : connectLabels[provider]}
        </Button>
      ))}
    >
      Read and answer your own email here, beside your patients, and put threads on their timelines. No one else sees your mailbox; your
      provider asks you first.
    </EmptyState>
  )
}
