// SPDX-License-Identifier: Apache-2.0
package dev.nescio;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.nescio.model.Forward;

/** The arrows of ARCHITECTURE.md: data move one way. */
@AnalyzeClasses(packages = "dev.nescio", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.nescio.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTensorKnowsLibtorch = noClasses()
            .that()
            .resideOutsideOfPackage("dev.nescio.tensor..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.bytedeco..", "com.sun.jna..");

    @ArchTest
    static final ArchRule graphsArePlainJava = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.nescio.graph..", "dev.nescio.metric..", "dev.nescio.matrix..", "dev.nescio.random..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.nescio.tensor..",
                    "dev.nescio.model..",
                    "dev.nescio.uncertainty..",
                    "dev.nescio.detector..",
                    "dev.nescio.shift..");

    @ArchTest
    static final ArchRule tensorsKnowNoGraphs = noClasses()
            .that()
            .resideInAPackage("dev.nescio.tensor..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.nescio.graph..", "dev.nescio.model..", "dev.nescio.uncertainty..");

    @ArchTest
    static final ArchRule modelsKnowNoUncertainty = noClasses()
            .that()
            .resideInAPackage("dev.nescio.model..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.nescio.uncertainty..", "dev.nescio.detector..", "dev.nescio.shift..");

    /** Estimators see what a network says, never a network. */
    @ArchTest
    static final ArchRule uncertaintyKnowsOnlyForward = noClasses()
            .that()
            .resideInAPackage("dev.nescio.uncertainty..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.nescio.model..").and(not(belongToAnyOf(Forward.class))))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.nescio.detector..", "dev.nescio.shift..");

    @ArchTest
    static final ArchRule decisionsAreArithmetic = noClasses()
            .that()
            .resideInAPackage("dev.nescio.decision..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.nescio.graph..",
                    "dev.nescio.tensor..",
                    "dev.nescio.model..",
                    "dev.nescio.uncertainty..",
                    "dev.nescio.detector..");
}
