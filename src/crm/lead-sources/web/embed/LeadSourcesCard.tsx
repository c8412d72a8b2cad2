import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { DollarSign, Megaphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { welcomeTemplate } from '../../rules.ts'
import { LeadSourcePage } from '../LeadSourcePage.tsx'

type LeadSource = Awaited<ReturnType<Client['leadSources']['list']>>[number]

const AddSourceDialog = lazyDialog(
  () => import('../AddSourceDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The list of lead sources; administrators can open a page for each. */
export function LeadSourcesCard() {
  const { item } = useParams({ strict: false })
  const mayOpen = usePermission()('leadSources.get')
  return item !== undefined && mayOpen ? <LeadSourcePage key={item} id={item} /> : <LeadSources />
}

function LeadSources() {
  const [isAdding, setAdding] = useState(false)
  const cache = useQueryClient()
  const may = usePermission()
  const sources = useQuery(orpc.leadSources.list.queryOptions())
  const templates = useQuery(orpc.emailTemplates.list.queryOptions({ input: { channel: 'email' } })).data
  useLive(['vocabulary'], () => void cache.invalidateQueries({ queryKey: orpc.leadSources.list.key() }))
  const sendsAnyWelcome = sources.data?.some(({ sendsWelcome }) => sendsWelcome) ?? false
  const isMissing = templates?.every(({ name }) => name !== welcomeTemplate) ?? false
  return (
    <Section
      id="lead-sources"
      title="Lead sources"
      actions={
        <>
          {may('leadSources.spend') && (
            <Button asChild icon={<DollarSign />}>
              <Link to="/reports/spend">{may('leadSources.setSpend') ? 'Enter spend' : 'View spend'}</Link>
            </Button>
          )}
          {may('leadSources.create') && (
            <Button icon={<Plus />} onPointerEnter={AddSourceDialog.prepare} onClick={() => setAdding(true)}>
              Add source
            </Button>
          )}
        </>
      }
    >
      <p className="pt-3 text-sm text-fg-3">
        When “Welcome email” is on, each new lead from the source gets the welcome email, once per address. Edit it under Email templates.
      </p>
      {sendsAnyWelcome && isMissing && (
        <p role="status" className="pt-1 text-sm text-warning-fg">
          The welcome email template is missing, so no welcome emails are sent.
        </p>
      )}
      <Asked query={sources} failed="Couldn’t load lead sources">
        {(list) =>
          list.length > 0 ? (
            <>
              <p aria-hidden="true" className="flex justify-between gap-4 pt-4 pb-1 text-xs text-fg-3">
                <span>Source</span>
                <span>Welcome email</span>
              </p>
              <ul aria-label="Lead sources">
                {list
                  .toSorted((a, b) => Number(b.isActive) - Number(a.isActive))
                  .map((source) => (
                    <li key={source.id} className="flex min-h-11 items-center gap-4 border-b border-line py-1 last:border-b-0">
                      {may('leadSources.update') ? <EditableSource source={source} /> : <ReadOnlySource source={source} />}
                    </li>
                  ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<Megaphone />} title="No lead sources yet">
              Add the places where patients hear about the practice. Each source gets its own lead form.
            </EmptyState>
          )
        }
      </Asked>
      {isAdding && <AddSourceDialog onClose={() => setAdding(false)} />}
    </Section>
  )
}

/** A source with a switch for the welcome email. Optimistic: the switch reverts if the request fails. */
function EditableSource({ source: { id, name, sendsWelcome, isActive } }: { source: LeadSource }) {
  const cache = useQueryClient()
  const change = useMutation(
    orpc.leadSources.update.mutationOptions({
      onError: (error) => toast.error(`Couldn’t change ${name}`, messageOf(error)),
      onSettled: () => cache.invalidateQueries({ queryKey: orpc.leadSources.list.key() }),
    }),
  )
  const isOn = change.isPending ? (change.variables.sendsWelcome ?? sendsWelcome) : sendsWelcome
  return (
    <>
      <Link
        to="/settings/$section/$item"
        params={{ section: 'lead-sources', item: id }}
        className="-ml-2 flex min-h-11 min-w-0 flex-1 items-center rounded-sm px-2 text-md font-medium wrap-anywhere text-fg hover:bg-hover"
      >
        {name}
      </Link>
      {!isActive && <Badge>Retired</Badge>}
      <Switch checked={isOn} onCheckedChange={(next) => change.mutate({ id, sendsWelcome: next })} className="items-center">
        <span className="sr-only">{name}: send welcome email</span>
      </Switch>
    </>
  )
}

const ReadOnlySource = ({ source: { name, sendsWelcome, isActive } }: { source: LeadSource }) => (
  <p className="flex flex-1 items-baseline justify-between gap-4 text-md text-fg">
    <span className="min-w-0 wrap-anywhere">{name}</span>
    {!isActive && <Badge>Retired</Badge>}
    <span className="flex-none text-sm text-fg-2">
      <span className="sr-only">Welcome email: </span>
      {sendsWelcome ? 'Sent' : 'Not sent'}
    </span>
  </p>
)
