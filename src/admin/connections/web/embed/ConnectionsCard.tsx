import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { client, type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Facts, Fact } from '../../../../ui/display/Facts.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Asked } from '../../../../ui/display/Section.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import type { System } from '../../contract.ts'
import { ConnectionTest } from '../../../../platform/connection-tests/web/embed/ConnectionTest.tsx'

type Connection = Awaited<ReturnType<Client['connections']['list']>>[number]

const labels: Record<System, { name: string; description: string; test: string; setUp: string }> = {
  postmark: {
    name: 'Postmark',
    description: 'Sends email to patients and staff and receives their replies.',
    test: 'Send a test email to yourself',
    setUp: 'Set POSTMARK_TOKEN on the server (see the operations guide) and restart it.',
  },
  twilio: {
    name: 'Twilio',
    description:
      'Sends text messages to patients and receives their replies. Twilio confirms STOP in English only, unless Advanced Opt-Out is set up there.',
    test: 'Check account and balance',
    setUp:
      'Without it, patients cannot be texted. Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_NUMBER on the server (see the operations guide) and restart it.',
  },
  stripe: {
    name: 'Stripe',
    description: 'Takes card payments on your pages and at card readers, and pays them out to your bank.',
    test: 'Check account and balance',
    setUp:
      'Without it, patients cannot pay by card. Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET on the server (see the operations guide) and restart it.',
  },
  storage: { name: 'Documents', description: 'Patient file storage.', test: 'Test storage', setUp: '' },
  clamd: {
    name: 'Virus scanner',
    description: 'Scans each file before anyone opens it.',
    test: 'Test scanner',
    setUp: 'Without it, files are not scanned. Set CLAMD_URL on the server and restart it.',
  },
  timestamps: {
    name: 'Time-stamp authority',
    description: 'Confirms when PDFs were sealed. It receives a digest and no document.',
    test: 'Test authority',
    setUp: 'Without it, the server’s own clock is the only proof of when a PDF was sealed. Set TSA_URL on the server and restart it.',
  },
  mailboxes: {
    name: 'Mailboxes',
    description: 'Staff members’ own email through Nylas or Gmail, connected under Email.',
    test: 'Test mailboxes',
    setUp: 'Set the Nylas or Gmail credentials on the server (see the operations guide) and restart it.',
  },
}

/** The external systems, each with a live test. */
export function ConnectionsCard() {
  return usePermission()('connections.list') ? <Connections /> : null
}

function Connections() {
  const connections = useQuery(orpc.connections.list.queryOptions())
  return (
    <Asked query={connections} failed="Couldn’t load the connections">
      {(list) => list.map((connection) => <System key={connection.system} connection={connection} />)}
    </Asked>
  )
}

function System({ connection: { system, isSetUp, connected, broken, cards } }: { connection: Connection }) {
  const { name, description, test: label, setUp } = labels[system]
  const id = `connection-${system}`
  return (
    <section aria-labelledby={id} className="border-t border-line py-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 id={id} className="text-md font-semibold text-fg">
          {name}
        </h3>
        <Badge tone={isSetUp ? 'success' : 'neutral'} icon={isSetUp ? <CircleCheck /> : <CircleDashed />}>
          {isSetUp ? 'Set up' : 'Not set up'}
        </Badge>
      </div>
      <p className="max-w-[60ch] pt-1 text-sm text-fg-2">
        {description}
        {connected !== null && isSetUp && ` ${connected} connected${broken ? `, ${broken} need to be reconnected` : ''}.`}
      </p>
      {cards && <Cards cards={cards} />}
      {isSetUp ? (
        <ConnectionTest label={label} ask={() => client.connections.test({ system })} />
      ) : (
        <p className="max-w-[60ch] pt-3 text-sm text-fg-2">{setUp}</p>
      )}
    </section>
  )
}

/** How cards are taken: with which key, whether events arrive, at which readers, and where QuickBooks has the money. */
function Cards({ cards: { isLive, acceptsEvents, lastEventAt, accounts } }: { cards: NonNullable<Connection['cards']> }) {
  const clock = useClock()
  return (
    <Facts className="pt-3">
      <Fact label="Mode">{isLive ? 'Live' : 'Test: no card is really charged'}</Fact>
      <Fact label="Events">
        {!acceptsEvents
          ? 'Not accepted. Set STRIPE_WEBHOOK_SECRET on the server and restart it.'
          : lastEventAt
            ? `Last received ${formatDateTime(lastEventAt, clock)}`
            : 'None received yet'}
      </Fact>
      <Fact label="Card readers">
        <Readers />
      </Fact>
      <Fact label="In QuickBooks">
        <ul>
          <li>Payments: {accounts.payments}</li>
          <li>Payouts: {accounts.payouts}</li>
          <li>Fees: {accounts.fees}</li>
          <li>Disputes: {accounts.disputes}</li>
        </ul>
      </Fact>
    </Facts>
  )
}

/** Stripe's card readers, which are registered in its dashboard. */
function Readers() {
  const { data, error } = useQuery(orpc.cardTerminal.readers.queryOptions())
  if (error) return `Couldn’t load the readers. ${messageOf(error)}`
  if (data?.length === 0) return 'None. Register one in Stripe’s dashboard to take cards at the desk.'
  return (
    <ul>
      {data?.map(({ id, label, isOnline }) => (
        <li key={id}>
          {label} <span className="text-fg-3">{isOnline ? 'online' : 'offline'}</span>
        </li>
      ))}
    </ul>
  )
}
