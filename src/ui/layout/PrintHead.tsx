import { usePractice } from '../client/session.ts'
import { Logo } from './Logo.tsx'

/** First line of a printout: patient and title, with the practice's logo on the right. */
export function PrintHead({ title }: { title: string }) {
  const { name } = usePractice()
  return (
    <div className="flex items-start justify-between gap-6">
      <h1 className="text-xl font-semibold">{`${name}, ${title}`}</h1>
      <Logo className="max-h-12 max-w-40" />
    </div>
  )
}
