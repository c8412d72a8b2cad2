import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { OpenRow } from '../../../ui/display/OpenRow.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import type { NoteData } from './note-data.ts'
import { NoteDiff } from './NoteDiff.tsx'

/** The earlier states of a note, each compared with the present one. */
export default function RevisionsDrawer({ note, onClose }: { note: NoteData; onClose: () => void }) {
  const clock = useClock()
  const revisions = useQuery(orpc.notes.revisions.queryOptions({ input: { id: note.id }, staleTime: 0 }))
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <SideDrawer title="Earlier versions" onClose={onClose}>
      <Asked query={revisions} failed="Couldn’t load the earlier versions">
        {(list) =>
          list.length === 0 ? (
            <p className="text-sm text-fg-2">No earlier versions yet. While the draft is written, one is kept each minute.</p>
          ) : (
            <ul className="-mx-2" aria-label="Earlier versions">
              {list.map(({ id, at, authorName }) => (
                <li key={id} className="pb-1">
                  <OpenRow
                    aria-expanded={chosen === id}
                    className="aria-expanded:[&>svg]:rotate-90"
                    onClick={() => setChosen(chosen === id ? null : id)}
                  >
                    <span className="flex min-w-0 flex-1 flex-col">
                      <span className="truncate text-md font-medium text-fg tabular-nums">{formatDateTime(at, clock)}</span>
                      <span className="truncate text-sm text-fg-3">{authorName}</span>
                    </span>
                  </OpenRow>
                  {chosen === id && (
                    <div className="border-b border-line px-2 pt-1 pb-4">
                      <p className="pb-3 text-xs text-fg-3">
                        Since then: <ins className="rounded-xs bg-success-soft px-0.5 text-success-fg underline-offset-2">added</ins>,{' '}
                        <del className="rounded-xs bg-danger-soft px-0.5 text-danger-fg">removed</del>
                      </p>
                      <Compared note={note} revisionId={id} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
    </SideDrawer>
  )
}

function Compared({ note, revisionId }: { note: NoteData; revisionId: string }) {
  const revision = useQuery(orpc.notes.revision.queryOptions({ input: { id: note.id, revisionId } }))
  return (
    <Asked query={revision} failed="Couldn’t load this version">
      {(before) => <NoteDiff label="Changes since this version" before={before} after={note} />}
    </Asked>
  )
}
