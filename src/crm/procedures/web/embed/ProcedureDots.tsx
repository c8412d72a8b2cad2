import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { cn } from '../../../../ui/cn.ts'
import type { Procedure } from '../../contract.ts'

const backgrounds = [
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
  'bg-chart-9',
] as const

/** The colour of a procedure as a dot next to its name. */
export function ProcedureDot({ colour, className }: { colour: number | null; className?: string }) {
  const background = colour === null ? undefined : backgrounds[colour - 1]
  return <span aria-hidden="true" className={cn('size-2 flex-none rounded-full', background ?? 'border border-line-2', className)} />
}

const colours = (procedures: readonly Procedure[]) => new Map(procedures.map(({ id, colour }) => [id, colour]))

/** The dots of these procedures, for those with a colour. */
export function ProcedureDots({ ids }: { ids: readonly string[] }) {
  const known = useQuery(orpc.procedures.list.queryOptions({ staleTime: 10 * 60_000, select: colours })).data
  return ids.map((id) => {
    const colour = known?.get(id) ?? null
    return colour !== null && <ProcedureDot key={id} colour={colour} />
  })
}
