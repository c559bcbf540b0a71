from gridkit.value import Verdict as Verdict
