// SPDX-License-Identifier: Apache-2.0
package dev.nescio;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of ARCHITECTURE.md, over all modules together. */
@AnalyzeClasses(
        packages = "dev.nescio",
        importOptions = {ImportOption.DoNotIncludeTests.class, ModulesTest.NoTestJars.class})
class ModulesTest {

    /** What other modules lend us for their tests is no part of the house. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar") && !location.contains("/test-classes/");
        }
    }

    /** Every package is a room of its own, packages below others too. */
    @ArchTest
    static final ArchRule noCycleAnywhere =
            slices().matching("dev.nescio.(**)").should().beFreeOfCycles();

    /** What a study has found is shown by the paper's module; the engine of studies knows nothing of it. */
    @ArchTest
    static final ArchRule studiesKnowNoPaper = noClasses()
            .that()
            .resideInAPackage("dev.nescio.study..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.nescio.report..", "dev.nescio.paper..", "dev.nescio.cli..");

    @ArchTest
    static final ArchRule commandsAreAtTheTop = noClasses()
            .that()
            .resideOutsideOfPackage("dev.nescio.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.nescio.cli..");

    @ArchTest
    static final ArchRule picocliStaysInTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackages("dev.nescio.cli..", "dev.nescio.benchmark..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");
}
