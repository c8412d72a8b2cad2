import { usePractice } from '../client/session.ts'
import { cn } from '../cn.ts'
import { Logo } from './Logo.tsx'
import { ProductMark } from './ProductMark.tsx'

interface MarkProps {
  /** Size of the product's mark. */
  className?: string
  /** Maximum height and width of the practice's logo: some are words. */
  logo?: string
}

/** The practice's logo, or the product's mark in the practice's colour. */
export function Mark({ className, logo: logoSize = 'max-h-8 max-w-16' }: MarkProps) {
  const { logo } = usePractice()
  // A dark transparent logo would be unreadable in the dark theme.
  if (logo !== null) return <Logo className={cn('rounded-xs dark:bg-inverse dark:p-0.5', logoSize)} />
  return <ProductMark className={className} />
}
