import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact } from '../../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { fullName } from '../../../contacts/web/embed/contact-data.ts'

const ReferrerDialog = lazyDialog(
  () => import('../ReferrerDialog.tsx'),
  ({ onClose }) => onClose(),
)

type ReferralsData = Awaited<ReturnType<Client['referrals']['ofContact']>>
type Patient = ReferralsData['referred'][number]

/** How many of the referred patients are shown before someone asks for all. */
const shownAtFirst = 3

/** Rows of the panel: the patient who referred this one, and the patients that this one referred. */
export function ReferralFacts({ contactId, referredBy }: { contactId: string; referredBy: string | null }) {
  const cache = useQueryClient()
  const { ofContact, removeReferrer } = orpc.referrals
  const query = useQuery(ofContact.queryOptions({ input: { contactId } }))
  const mayChange = usePermission()('referrals.setReferrer')
  const [isOpen, setOpen] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  useLive(['contact'], (ids) => {
    if (ids === null || ids.has(contactId)) void cache.invalidateQueries({ queryKey: ofContact.key({ input: { contactId } }) })
  })
  const remove = useMutation(
    removeReferrer.mutationOptions({
      onSuccess: (state) => cache.setQueryData(ofContact.queryKey({ input: { contactId } }), state),
      onError: (error) => toast.error('Couldn’t remove the referrer', messageOf(error)),
    }),
  )
  const { data } = query
  return (
    <>
      <Fact label="Referring patient">
        {query.isPending ? (
          <Skeleton className="w-2/3" />
        ) : !data ? (
          <span role="alert" className="text-danger-fg">
            Couldn’t load referrals.{' '}
            <Button size="sm" variant="quiet" onClick={() => void query.refetch()}>
              Try again
            </Button>
          </span>
        ) : (
          <>
            {data.referrer && <PatientLink patient={data.referrer} />}
            {mayChange ? (
              <span className="-ml-2.5 flex flex-wrap">
                <Button
                  size="sm"
                  variant="quiet"
                  className={data.referrer ? undefined : '-my-1'}
                  aria-label={data.referrer ? 'Change referrer' : undefined}
                  onClick={() => setOpen(true)}
                >
                  {data.referrer ? 'Change' : 'Record referrer'}
                </Button>
                {data.referrer && (
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label="Remove referrer"
                    busy={remove.isPending}
                    onClick={() => remove.mutate({ contactId })}
                  >
                    Remove
                  </Button>
                )}
              </span>
            ) : (
              !data.referrer && <None />
            )}
          </>
        )}
      </Fact>
      {data && data.total > 0 && (
        <Fact label="Referred">
          {(showsAll ? data.referred : data.referred.slice(0, shownAtFirst)).map((patient) => (
            <PatientLink key={patient.id} patient={patient} />
          ))}
          {!showsAll && data.referred.length > shownAtFirst && (
            <Button size="sm" variant="quiet" className="-ml-2.5" onClick={() => setShowsAll(true)}>
              Show all {data.total.toLocaleString('en-CA')}
            </Button>
          )}
          {showsAll && data.total > data.referred.length && (
            <span className="block text-xs text-fg-3">and {(data.total - data.referred.length).toLocaleString('en-CA')} more</span>
          )}
        </Fact>
      )}
      {isOpen && data && (
        <ReferrerDialog contactId={contactId} referrer={data.referrer} referredBy={referredBy} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function PatientLink({ patient }: { patient: Patient }) {
  return (
    <Link to="/contacts/$id" params={{ id: patient.id }} className="block w-fit text-accent-fg hover:underline max-md:py-1.5">
      {fullName(patient)}
    </Link>
  )
}
