import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { useEffect } from 'react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import type { ViewedList } from '../../contract.ts'
import { builtInViews } from '../../rules.ts'
import { defaultView, setDefaultView } from './default-view.ts'

/** Opens a view by id: puts its list parameters into the URL, or shows why it can't be opened. */
export default function ViewOpener({ id }: { id: string }) {
  const navigate = useNavigate()
  const builtIn = builtInViews.find((view) => view.id === id)
  const isOwn = builtIn === undefined && isId(id)
  const { data, error, refetch, isFetching } = useQuery(orpc.savedViews.get.queryOptions({ input: { id }, enabled: isOwn, retry: false }))
  const list: ViewedList | undefined = builtIn?.list ?? data?.list
  useEffect(() => {
    if (list) void navigate({ to: '/contacts', search: { ...list, view: id }, replace: true })
  }, [list, id, navigate])

  const isGone = (!builtIn && !isOwn) || (error && statusOf(error) === 404)
  return (
    <>
      <TopbarTitle title="Patients" />
      {isGone ? (
        <EmptyState
          icon={<Bookmark />}
          title="View not found"
          className="my-auto pb-24"
          actions={
            <Button asChild>
              <Link
                to="/contacts"
                search={{ view: 'all' }}
                onClick={() => {
                  if (defaultView() === id) setDefaultView(null)
                }}
              >
                Show all patients
              </Link>
            </Button>
          }
        >
          It may be private or deleted, or the link is incomplete. If a colleague sent it to you, ask them to share the view.
        </EmptyState>
      ) : error ? (
        <div className="my-auto pb-12">
          <ErrorState title="Couldn’t open the view" onRetry={() => void refetch()} retrying={isFetching}>
            {messageOf(error)}
          </ErrorState>
        </div>
      ) : (
        <SkeletonRows rows={14} className="min-h-0 flex-1 overflow-hidden pt-25" rowClassName="max-[60rem]:h-17" />
      )}
    </>
  )
}

const isId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
