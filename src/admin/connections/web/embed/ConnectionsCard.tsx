import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Asked } from '../../../../ui/display/Section.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import type { Connection, System } from '../../contract.ts'
import { Tested } from '../../../../platform/connection-tests/web/embed/Tested.tsx'

const words: Record<System, { name: string; does: string; test: string; setUp: string }> = {
  postmark: {
    name: 'Postmark',
    does: 'Sends email to patients and staff, and brings their answers.',
    test: 'Send a test email to yourself',
    setUp: 'Set POSTMARK_TOKEN on the server, as the operations guide says, and restart it.',
  },
  storage: { name: 'Documents', does: 'Patient file storage.', test: 'Test documents', setUp: '' },
  clamd: {
    name: 'Virus scanner',
    does: 'Looks at each file before anyone opens it.',
    test: 'Test scanner',
    setUp: 'Without it no file is scanned. Set CLAMD_URL on the server and restart it.',
  },
  mailboxes: {
    name: 'Mailboxes',
    does: 'Everyone’s own email at Nylas or Gmail, which each connects under Email.',
    test: 'Test mailboxes',
    setUp: 'Set the credentials of Nylas or Gmail on the server, as the operations guide says, and restart it.',
  },
}

/** The systems around the server, each with a test that really asks. */
export function ConnectionsCard() {
  return useMay()('connections.list') ? <Connections /> : null
}

function Connections() {
  const connections = useQuery(orpc.connections.list.queryOptions())
  return (
    <Asked query={connections} failed="Couldn’t load the other systems">
      {(list) => list.map((one) => <System key={one.system} connection={one} />)}
    </Asked>
  )
}

function System({ connection: { system, isSetUp, connected, broken } }: { connection: Connection }) {
  const { name, does, test: label, setUp } = words[system]
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
        {does}
        {connected !== null && isSetUp && ` ${connected} connected${broken ? `, ${broken} to be connected again` : ''}.`}
      </p>
      {isSetUp ? (
        <Tested label={label} ask={() => client.connections.test({ system })} />
      ) : (
        <p className="max-w-[60ch] pt-3 text-sm text-fg-2">{setUp}</p>
      )}
    </section>
  )
}
